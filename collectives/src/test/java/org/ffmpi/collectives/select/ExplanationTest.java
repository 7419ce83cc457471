// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleCache;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Test;

/** What people are told about the choice of algorithms. */
class ExplanationTest {
  private static String explain(Map<String, String> settings, Collective collective, int size, long bytes) {
    return Explanation.of(new Selector(Settings.of(settings)), shape(collective, size, bytes, false));
  }

  private static CallShape shape(Collective collective, int size, long bytes, boolean ordered) {
    return new CallShape(collective, 0, size, 0, bytes, 1, false, ordered, false, 1, 1);
  }

  @Test
  void aLineOfTheTableIsNamed() {
    assertEquals("alltoall of 8 bytes on 16 ranks: bruck, "
        + Algorithms.find(Collective.ALLTOALL, "bruck").merit() + "; says the table's line for 8..32 ranks and up to"
        + " 512 bytes; without a region", explain(Map.of(), Collective.ALLTOALL, 16, 8));
    assertTrue(explain(Map.of(), Collective.BARRIER, 2, 0).startsWith("barrier on 2 ranks: "));
    assertTrue(explain(Map.of(), Collective.GATHERV, 1, 1).startsWith("gatherv of blocks on 1 rank: linear"));
  }

  @Test
  void soAreLevels() {
    Selector selector = new Selector(Settings.of(Map.of()));
    RanksByNode nodes = RanksByNode.of(8, rank -> rank / 3);
    assertEquals("allreduce of 8 bytes on 8 ranks: leveled, within nodes, and between them by leaders; 3 nodes of 2 to"
        + " 3 ranks: binomial within, recursive-doubling between one leader of each; says the table's line for 3 or"
        + " more ranks and any bytes; without a region",
        Explanation.of(selector, shape(Collective.ALLREDUCE, 8, 8, false).over(nodes)));
    for (Collective collective : Collective.values()) {
      for (long bytes : new long[] {8, 1 << 20}) {
        String text = Explanation.of(selector, shape(collective, 8, bytes, false).over(nodes));
        assertEquals(text.contains(": leveled, "), text.contains("; 3 nodes of 2 to 3 ranks: "), text);
      }
    }
    String text = Explanation.of(selector, shape(Collective.ALLREDUCE, 8, 1 << 20, false).over(nodes));
    assertTrue(text.contains("pairwise and linear within, rabenseifner between 2 leaders of each"), text);
  }

  @Test
  void soIsASetting() {
    String text =
        explain(Map.of("ffmpi.coll.allreduce", "rabenseifner<=16K,ring"), Collective.ALLREDUCE, 4, 16 << 10);
    assertTrue(text.endsWith("; says ffmpi.coll.allreduce for up to 16K bytes; without a region"), text);
  }

  @Test
  void andWhatWouldHaveComeBeforeButCannot() {
    Selector selector = new Selector(Settings.of(Map.of("ffmpi.coll.allreduce", "ring")));
    String text = Explanation.of(selector, shape(Collective.ALLREDUCE, 4, 1 << 20, true));
    assertTrue(text.startsWith("allreduce of 1048576 bytes by an operation that does not commute on 4 ranks: "), text);
    assertTrue(
        text.endsWith("; ring from ffmpi.coll.allreduce for any bytes cannot serve this call; without a region"), text);
  }

  @Test
  void everythingIsToldOnceByRankZeroToWhomeverAsks() {
    assertNull(new Selector(Settings.of(Map.of())).explanation());
    Selector selector = new Selector(Settings.of(Map.of("ffmpi.collectives", "explain")));
    PrintStream standard = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      for (int rank = 0; rank < 3; rank++) {
        ScheduleCache cache = new ScheduleCache(rank, 3, null, new ScheduleMaker(selector, rank, 1 << 16));
        for (int root = 0; root < 3; root++) {
          cache.find(new CallShape(Collective.GATHER, rank, 3, root, 96, 1, false, false, false, 1, 1));
        }
      }
    } finally {
      System.setErr(standard);
    }
    String text = captured.toString(StandardCharsets.UTF_8);
    assertEquals(1, text.lines().filter(line -> line.contains("gather of 96 bytes")).count(), text);
    assertTrue(text.startsWith("ffmpi: gather of 96 bytes on 3 ranks: "), text);
    assertFalse(text.contains("null"), text);
  }
}
