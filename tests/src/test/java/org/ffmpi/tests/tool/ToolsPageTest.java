// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Measure;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Test;

/** The tables of the page on tools, which are made from the definitions; {@code ffmpi.guide.write} writes them. */
class ToolsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "guide", "tools.md");

  @Test
  void theTableOfVariablesIsMadeFromTheirDefinitions() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (Measure measure : Measure.values()) {
      rows.append("| `%s` | %s | %s | %s%s |%n".formatted(
          measure.title(), measure.kind(), lower(measure.unit()), measure.description(),
          measure.states().isEmpty() ? "" : ": " + String.join(", ", measure.states())));
    }
    check("| variable | class | unit | meaning |\n|---|---|---|---|\n", rows.toString());
  }

  @Test
  void theTableOfEventsIsMadeFromTheirDefinitions() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (Incident incident : Incident.values()) {
      rows.append("| `%s` | %s | %s | %s |%n".formatted(
          incident.title(), incident.source().title(), String.join(", ", incident.elements()),
          incident.description()));
    }
    check("| event | source | elements | meaning |\n|---|---|---|---|\n", rows.toString());
  }

  @Test
  void theListOfOperationsIsThatOfTheLibrary() throws IOException {
    StringBuilder row = new StringBuilder();
    for (Collective operation : Collective.values()) {
      row.append(operation.ordinal() == 0 ? "" : ", ").append(operation.ordinal()).append(' ')
          .append(lower(operation));
    }
    check("| numbers of operations |\n|---|\n", "| " + row + " |\n");
  }

  @Test
  void namesAreUniqueAndBeginAlike() {
    Set<String> names = new HashSet<>();
    for (Measure measure : Measure.values()) {
      assertTrue(names.add(measure.title()) && measure.title().matches("ffmpi(\\.[a-z]+)+"), measure.title());
    }
    for (Incident incident : Incident.values()) {
      assertTrue(names.add(incident.title()) && incident.title().matches("ffmpi(\\.[a-z]+)+"), incident.title());
      assertTrue(!incident.elements().isEmpty() && incident.elements().size() <= Incident.MOST_ELEMENTS);
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Compares the rows below a head of a table, up to the next empty line. */
  private static void check(String head, String rows) throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(head);
    assertTrue(begin >= 0, () -> "no table begins with " + head);
    begin += head.length();
    int end = page.indexOf("\n\n", begin - 1) + 1;
    if (Boolean.getBoolean("ffmpi.guide.write")) {
      page = page.substring(0, begin) + rows + page.substring(end);
      Files.writeString(PAGE, page);
      end = begin + rows.length();
    }
    assertEquals(rows, page.substring(begin, end), PAGE + " is out of date: -Dffmpi.guide.write=true writes it");
  }
}
