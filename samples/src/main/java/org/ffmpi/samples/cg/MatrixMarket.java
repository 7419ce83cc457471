// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import org.ffmpi.Comm;

/**
 * Reads sparse matrices in the Matrix Market format, in which most collections of matrices offer theirs. Every rank
 * reads the whole file and keeps its own rows.
 */
public final class MatrixMarket {
  private static final String HEADER = "%%MatrixMarket matrix coordinate ";

  private final BufferedReader reader;
  private final String name;
  private int number;

  private MatrixMarket(BufferedReader reader, String name) {
    this.reader = reader;
    this.name = name;
  }

  /**
   * Reads a rank's rows of a matrix.
   *
   * @param file in the Matrix Market format: coordinate; real, integer or pattern; general or symmetric
   * @param comm all ranks
   * @return the rows
   * @throws IllegalArgumentException when the file cannot be read, or is no such matrix
   */
  public static SparseRows read(Path file, Comm comm) {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new MatrixMarket(reader, file.toString()).read(comm);
    } catch (IOException e) {
      throw new IllegalArgumentException("the matrix " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a rank's rows of the matrix that comes with the program: the stiffness of an elastic plate that has the shape
   * of an L and is held at one end.
   *
   * @param comm all ranks
   * @return the rows
   */
  public static SparseRows plate(Comm comm) {
    try (InputStream in = MatrixMarket.class.getResourceAsStream("plate.mtx");
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
      return new MatrixMarket(reader, "plate.mtx").read(comm);
    } catch (IOException e) {
      throw new IllegalArgumentException("the matrix plate.mtx cannot be read: " + e.getMessage(), e);
    }
  }

  private SparseRows read(Comm comm) throws IOException {
    String header = reader.readLine();
    number++;
    if (header == null || !header.regionMatches(true, 0, HEADER, 0, HEADER.length())) {
      throw wrong("a matrix of this kind begins with \"" + HEADER + "\"");
    }
    List<String> words = List.of(header.substring(HEADER.length()).toLowerCase(Locale.ROOT).trim().split("\\s+"));
    String field = words.getFirst();
    String symmetry = words.getLast();
    if (!List.of("real", "integer", "pattern").contains(field)) {
      throw wrong("entries are " + field + ": real, integer and pattern are allowed");
    }
    if (words.size() != 2 || !List.of("general", "symmetric").contains(symmetry)) {
      throw wrong("the matrix is " + symmetry + ": general and symmetric are allowed");
    }
    StringTokenizer extent = line();
    int size = index(extent, Integer.MAX_VALUE) + 1;
    int columns = index(extent, Integer.MAX_VALUE) + 1;
    if (size != columns) {
      throw wrong(size + " rows and " + columns + " columns: a square matrix is needed");
    }
    int entries = index(extent, Integer.MAX_VALUE) + 1;
    SparseRows.Builder rows = new SparseRows.Builder(size, comm);
    for (int k = 0; k < entries; k++) {
      StringTokenizer entry = line();
      int row = index(entry, size);
      int column = index(entry, size);
      double value = field.equals("pattern") ? 1 : value(entry);
      rows.add(row, column, value);
      if (symmetry.equals("symmetric") && row != column) {
        rows.add(column, row, value); // the file has only one half
      }
    }
    return rows.build();
  }

  /** Returns the words of the next line that is no comment. */
  private StringTokenizer line() throws IOException {
    String line = reader.readLine();
    number++;
    while (line != null && (line.isBlank() || line.startsWith("%"))) {
      line = reader.readLine();
      number++;
    }
    if (line == null) {
      throw wrong("the file ends too early");
    }
    return new StringTokenizer(line);
  }

  /** Reads a number that counts from 1, and returns it counted from 0. */
  private int index(StringTokenizer words, int most) {
    String word = words.hasMoreTokens() ? words.nextToken() : "";
    try {
      int index = Integer.parseInt(word);
      if (index >= 1 && index <= most) {
        return index - 1;
      }
    } catch (NumberFormatException e) {
      // the same sentence
    }
    throw wrong("\"" + word + "\": a whole number from 1 to " + most + " is needed");
  }

  private double value(StringTokenizer words) {
    String word = words.hasMoreTokens() ? words.nextToken() : "";
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw wrong("\"" + word + "\": a number is needed");
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(name + ", line " + number + ": " + what);
  }
}
