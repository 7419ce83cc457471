// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static final Path PAGE = Path.of("..", "docs", "COVERAGE.md");

  private final CoveragePage page = new CoveragePage();

  @Test
  void annotationsNameWhatTheStandardHas() {
    assertEquals(Set.of(), page.unknown());
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
