// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.life;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/**
 * A pattern of living cells, in one of the two formats in which collections offer theirs: run lengths ({@code .rle}),
 * or plain text ({@code .cells}) with a line for each row.
 *
 * @param rows strings of {@code O}, alive, and other characters, dead
 */
public record LifePattern(List<String> rows) {
  private static final Map<String, String> KNOWN =
      Map.of(
          "glider", "bo$2bo$3o!",
          "acorn", "bo$3bo$2o2b3o!",
          "pentomino", "b2o$2o$bo!",
          "gun",
          "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!");

  /**
   * Finds a pattern.
   *
   * @param name {@code glider}, {@code acorn}, {@code pentomino} or {@code gun}, or else a file
   * @return the pattern
   * @throws IllegalArgumentException when there is no such file, or it has no pattern
   */
  public static LifePattern named(String name) {
    String known = KNOWN.get(name);
    try {
      return of(known != null ? known : Files.readString(Path.of(name), StandardCharsets.ISO_8859_1), name);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--pattern " + name + ": a file that can be read, glider, acorn, pentomino and gun are allowed", e);
    }
  }

  /**
   * Reads a pattern.
   *
   * @param text in either format
   * @param name for messages
   * @return the pattern
   * @throws IllegalArgumentException when the text is no pattern
   */
  static LifePattern of(String text, String name) {
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.startsWith("#")).toList();
    boolean plain = !text.strip().endsWith("!");
    List<String> rows;
    if (plain) {
      rows = lines.stream().filter(line -> !line.startsWith("!")).map(line -> line.replace('*', 'O')).toList();
    } else {
      rows = runs(String.join("", lines.stream().filter(line -> !line.startsWith("x")).toList()), name);
    }
    if (rows.stream().noneMatch(row -> row.contains("O"))) {
      throw new IllegalArgumentException("--pattern " + name + ": no living cell is found in it");
    }
    return new LifePattern(rows);
  }

  private static List<String> runs(String code, String name) {
    List<String> rows = new ArrayList<>();
    StringBuilder row = new StringBuilder();
    int run = 0;
    for (char c : code.toCharArray()) {
      int times = Math.max(1, run);
      if (Character.isDigit(c) && run < 100_000) {
        run = 10 * run + c - '0';
        continue;
      }
      switch (c) {
        case 'b' -> row.repeat(".", times);
        case 'o' -> row.repeat("O", times);
        case '$', '!' -> {
          rows.add(row.toString());
          row.setLength(0);
          for (int i = 1; i < times; i++) {
            rows.add("");
          }
        }
        default ->
            throw new IllegalArgumentException("--pattern " + name + ": \"" + c + "\": b, o, $ and ! are allowed");
      }
      run = 0;
    }
    return rows;
  }

  /**
   * Puts the pattern into the middle of a torus.
   *
   * @param side cells of the torus in each direction
   * @return a function of a row and a column that returns whether the cell lives (1) or not (0)
   * @throws IllegalArgumentException when it is too large
   */
  public IntBinaryOperator centred(int side) {
    int width = rows.stream().mapToInt(String::length).max().orElse(0);
    if (width > side || rows.size() > side) {
      throw new IllegalArgumentException("--size " + side + ": the pattern has " + rows.size() + " rows and " + width
          + " columns");
    }
    int top = (side - rows.size()) / 2;
    int left = (side - width) / 2;
    return (row, column) -> isAlive(row - top, column - left) ? 1 : 0;
  }

  private boolean isAlive(int row, int column) {
    return row >= 0 && row < rows.size() && column >= 0 && column < rows.get(row).length()
        && rows.get(row).charAt(column) == 'O';
  }
}
