// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the data files of the standard's requirements: tab-separated, column names in the first line. */
public final class Table {
  private Table() {}

  /** Returns the rows of a file that lies beside this class, each as column name to value. */
  public static List<Map<String, String>> read(String name) {
    try (BufferedReader reader = new BufferedReader(
        new InputStreamReader(Table.class.getResourceAsStream(name), StandardCharsets.UTF_8))) {
      String[] columns = reader.readLine().split("\t", -1);
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] values = line.split("\t", -1);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.length; i++) {
          row.put(columns[i], values[i]);
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the constant of {@link Datatype} with a Java name. */
  public static Datatype<?> constant(String javaName) {
    try {
      return (Datatype<?>) Datatype.class.getField(javaName).get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("Datatype." + javaName, e);
    }
  }
}
