// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All figures of a report, and the facts that belong to them. The file is a CSV whose first lines are comments with the
 * facts: {@code # key: value}.
 *
 * @param facts machine, versions, commands and what else is to be said, by their names
 * @param rows the figures, in the order in which they were measured
 */
public record Figures(Map<String, String> facts, List<Figure> rows) {
  /** Name of our own implementation. */
  static final String OURS = "ffmpi";

  /** The name of the machine's limit, which no library can exceed. */
  static final String LIMIT = "gcc";

  private static final String FACT = "# ";

  /** Copies its arguments. */
  public Figures {
    facts = new LinkedHashMap<>(facts);
    rows = List.copyOf(rows);
  }

  /**
   * Reads a file of figures.
   *
   * @param file what {@link #write} has written
   * @return the figures
   * @throws IOException when it cannot be read or is something else
   */
  public static Figures read(Path file) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    List<Figure> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(FACT)) {
        int colon = line.indexOf(": ");
        facts.put(line.substring(FACT.length(), colon), line.substring(colon + 2));
      } else if (!line.equals(Figure.HEADER)) {
        try {
          rows.add(Figure.of(line));
        } catch (IllegalArgumentException e) {
          throw new IOException(file + ": " + e.getMessage(), e);
        }
      }
    }
    return new Figures(facts, rows);
  }

  /**
   * Writes the file.
   *
   * @param file in a folder that exists
   * @throws IOException when that fails
   */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    facts.forEach((key, value) -> lines.add(FACT + key + ": " + value.replace('\n', ' ')));
    lines.add(Figure.HEADER);
    rows.forEach(r -> lines.add(r.csv()));
    Files.write(file, lines);
  }

  /** Returns these figures as the file has them, with as many digits. */
  Figures asWritten() {
    return new Figures(facts, rows.stream().map(r -> Figure.of(r.csv())).toList());
  }

  String fact(String key) {
    return facts.getOrDefault(key, "");
  }

  Stream<Figure> of(String bench) {
    return rows.stream().filter(r -> r.bench().equals(bench));
  }

  Optional<Figure> find(String bench, String name, String impl, int ranks, long size) {
    return rows.stream().filter(r -> r.bench().equals(bench) && r.name().equals(name) && r.impl().equals(impl)
        && r.ranks() == ranks && r.size() == size).findFirst();
  }

  /** Returns the better C library's figure for a case of theirs. */
  Optional<Figure> bestPeer(String bench, String peerCase, int ranks, long size) {
    return rows.stream().filter(r -> r.bench().equals(bench) && r.name().equals(peerCase) && r.ranks() == ranks
        && r.size() == size && !r.impl().equals(OURS) && !r.impl().equals(LIMIT))
        .min((a, b) -> a.isTime() ? Double.compare(a.median(), b.median()) : Double.compare(b.median(), a.median()));
  }
}
