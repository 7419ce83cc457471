// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Journal.Turn TURN = new Journal.Turn("p2p", 1, "ffmpi", 2);
  private static final Point POINT = new Point("latency", "native-clean", 2, 8);

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("deep/journal.tsv");
  }

  private void fill() throws IOException {
    try (Journal journal = Journal.open(file())) {
      journal.fact("processor", "one\twith\ntabs");
      journal.sample(TURN, new Sample(POINT, "us", new double[] {0.25, 1e-3}, 61.5, 0.5, true));
      journal.done(TURN, 12.5);
      journal.failed("it broke");
    }
  }

  @Test
  void whatIsWrittenIsFoundAgain() throws IOException {
    fill();
    try (Journal journal = Journal.open(file())) {
      assertEquals(Map.of("processor", "one with tabs"), journal.facts());
      Journal.Entry e = journal.samples().getFirst();
      assertEquals(TURN, e.turn());
      assertEquals(POINT, e.sample().point());
      assertArrayEquals(new double[] {0.25, 1e-3}, e.sample().values());
      assertEquals(61.5, e.sample().hop());
      assertEquals(0.5, e.sample().foreignPercent());
      assertTrue(e.sample().quiet());
      assertTrue(journal.isDone(TURN));
      assertFalse(journal.isDone(new Journal.Turn("p2p", 2, "ffmpi", 2)));
      assertEquals(12.5, journal.seconds());
      assertEquals(Set.of(POINT), journal.measured(TURN));
      assertEquals(List.of("it broke"), journal.failures());
    }
  }

  @Test
  void aLineThatWasCutOffDoesNotCount() throws IOException {
    fill();
    Files.writeString(file(), "sample\tp2p\t2\tffm", StandardOpenOption.APPEND);
    try (Journal journal = Journal.open(file())) {
      assertEquals(1, journal.samples().size());
      journal.failed("again");
    }
    try (Journal journal = Journal.open(file())) {
      assertEquals(List.of("it broke", "again"), journal.failures());
    }
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "bench,case\n");
    IOException e = assertThrows(IOException.class, () -> Journal.open(file()));
    assertEquals(file() + " is no journal of a report: bench,case", e.getMessage());
    assertEquals("bench,case\n", Files.readString(file()));
  }

  @Test
  void aCampaignThatBeganElsewhereIsNotContinued() {
    Map<String, String> now = Map.of("revision", "b");
    assertEquals("revision was a and is now b", WholeReport.difference(Map.of("revision", "a"), now));
    assertEquals("revision was null and is now b", WholeReport.difference(Map.of(), now));
    assertEquals(null, WholeReport.difference(Map.of("revision", "b", "begun", "then"), now));
  }
}
