// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules for every source file of the project. */
class SourcesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static List<Path> sources;

  @BeforeAll
  static void findSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      sources = files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !ROOT.relativize(file).toString().contains("/target/"))
          .sorted()
          .toList();
    }
    assertTrue(sources.size() > 100, "found only " + sources.size() + " sources under " + ROOT);
  }

  @Test
  void beginWithTheLicence() throws IOException {
    String first = "// SPDX-License-Identifier: Apache-2.0";
    assertEquals(List.of(), where(lines -> lines.isEmpty() || !lines.getFirst().equals(first)));
  }

  @Test
  void importClassesOneByOne() throws IOException {
    List<String> found = where(lines -> lines.stream().anyMatch(line -> line.matches("import .*\\*;")));
    found.removeIf(file -> file.startsWith("docs/tutorial/")); // short, as its readers write them
    assertEquals(List.of(), found);
  }

  @Test
  void keepToTheWidthAndUseNoTabs() throws IOException {
    assertEquals(
        List.of(), where(lines -> lines.stream().anyMatch(line -> line.length() > 120 || line.contains("\t"))));
  }

  private static List<String> where(Predicate<List<String>> wrong) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources) {
      if (wrong.test(Files.readAllLines(source))) {
        found.add(ROOT.relativize(source).toString());
      }
    }
    return found;
  }
}
