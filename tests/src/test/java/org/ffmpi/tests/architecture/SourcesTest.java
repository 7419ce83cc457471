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
  /** What the archetype gives away belongs to the project that it makes, under any licence. */
  private static final String OTHERS = "archetype-resources/";

  private static List<Path> sources;

  @BeforeAll
  static void findSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      sources = files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?target/.*"))
          .filter(file -> !ROOT.relativize(file).toString().contains(OTHERS))
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

  /** Scripts, C and the build: in one of the first lines, behind what has to be the first. */
  @Test
  void thoseInOtherLanguagesNameTheLicence() throws IOException {
    List<String> without = new ArrayList<>();
    int seen = 0;
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(Files::isRegularFile).filter(SourcesTest::isInAnotherLanguage).toList()) {
        seen++;
        try (Stream<String> lines = Files.lines(file)) {
          if (lines.limit(3).noneMatch(line -> line.contains("SPDX-License-Identifier: Apache-2.0"))) {
            without.add(ROOT.relativize(file).toString());
          }
        }
      }
    }
    assertEquals(List.of(), without);
    assertTrue(seen > 30, "found only " + seen + " under " + ROOT);
  }

  private static boolean isInAnotherLanguage(Path file) {
    String name = ROOT.relativize(file).toString();
    return !name.contains("target/") && !name.contains(OTHERS) && !name.startsWith(".git/")
        && !name.contains("docs/benchmarks/")
        && (name.matches(".*\\.(c|h|sh|xml|html|py)") || name.matches("scripts/[^./]+|\\.ci/run"));
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
