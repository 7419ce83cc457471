// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Reads a table of names and numbers that lies beside the tests. */
final class Table {
  private Table() {}

  static Map<String, Integer> read(String file) {
    Map<String, Integer> rows = new TreeMap<>();
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(Table.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      in.lines().skip(1).map(line -> line.split("\t")).forEach(row -> rows.put(row[0], Integer.valueOf(row[1])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
