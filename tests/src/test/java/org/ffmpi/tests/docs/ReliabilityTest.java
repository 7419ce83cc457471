// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every row of the tables of RELIABILITY.md names tests, and they exist. */
class ReliabilityTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/RELIABILITY.md");

  /** A class of tests, and perhaps one of its methods. */
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)(?:#(\\w+))?`");

  /** A table by its heading: rows of trimmed cells, the first with the names of the columns. */
  private static Map<String, List<List<String>>> tables() throws IOException {
    Map<String, List<List<String>>> tables = new TreeMap<>();
    String heading = "";
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("#")) {
        heading = line.replaceFirst("^#+ ", "");
      } else if (line.startsWith("|") && !line.startsWith("|---")) {
        List<String> cells = Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("(?<!\\\\)\\|"))
            .map(String::strip).toList();
        tables.computeIfAbsent(heading, h -> new ArrayList<>()).add(cells);
      }
    }
    return tables;
  }

  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    List<Path> modules;
    try (Stream<Path> folders = Files.list(ROOT)) {
      modules = folders.filter(f -> Files.exists(f.resolve("pom.xml"))).toList();
    }
    for (Path module : modules) {
      for (String folder : List.of("src/test/java", "src/jcstress/java")) {
        Path root = module.resolve(folder);
        if (Files.exists(root)) {
          try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              sources.merge(file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
          }
        }
      }
    }
    return sources;
  }

  @Test
  void everyPromiseNamesTestsThatExist() throws IOException {
    Map<String, List<List<String>>> tables = tables();
    assertEquals(List.of("What happens", "What happens", "Within", "Test"), List.of(
        "What happens", tables.get("What is promised").get(0).get(1), tables.get("What is promised").get(0).get(2),
        tables.get("What is promised").get(0).get(3)));
    Map<String, String> sources = testSources();
    int judged = 0;
    for (Map.Entry<String, List<List<String>>> table : tables.entrySet()) {
      List<List<String>> rows = table.getValue();
      int columns = rows.get(0).size();
      if (!rows.get(0).get(columns - 1).equals("Test")) {
        continue;
      }
      for (List<String> row : rows.subList(1, rows.size())) {
        String where = table.getKey() + ": " + row;
        assertEquals(columns, row.size(), where);
        assertFalse(row.contains(""), where);
        Matcher test = TEST.matcher(row.get(columns - 1));
        int named = 0;
        while (test.find()) {
          String source = sources.get(test.group(1));
          assertTrue(source != null, where + ": no class " + test.group(1));
          String method = test.group(2);
          assertTrue(
              method == null || source.contains("void " + method + "("), where + ": no method " + method);
          named++;
        }
        assertTrue(named > 0, where + " names no test");
        judged++;
      }
    }
    assertTrue(judged > 30, judged + " rows");
  }
}
