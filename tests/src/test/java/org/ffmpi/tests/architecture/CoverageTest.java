// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static final Path PAGE = Path.of("..", "docs", "COVERAGE.md");

  private final CoveragePage page = new CoveragePage();

  @Test
  void annotationsNameWhatTheStandardHas() {
    assertEquals(Set.of(), page.unknown());
  }

  /** A test that is added takes its row off the page. */
  @Test
  void statementsWithoutATestHaveNone() throws IOException {
    String text = page.text();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      for (Path source : files.filter(file -> file.toString().endsWith("Test.java")).toList()) {
        List<String> lines = Files.readAllLines(source);
        for (CoveragePage.Untested untested : CoveragePage.untested()) {
          assertTrue(text.contains(untested.id()));
          Pattern named = Pattern.compile(Pattern.quote(untested.id()) + "[ :,\"]");
          assertFalse(lines.stream().anyMatch(named.asPredicate()), () -> untested.id() + " is in " + source);
        }
      }
    }
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    String text = page.text();
    if (Boolean.getBoolean("ffmpi.coverage.write")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, text);
    }
    String there = Files.exists(PAGE) ? Files.readString(PAGE) : "";
    assertEquals(text, there, "docs/COVERAGE.md is out of date: make it anew with the command at its head");
  }
}
