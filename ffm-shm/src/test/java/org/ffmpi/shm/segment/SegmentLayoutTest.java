// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.SequenceLayout;
import java.util.List;
import java.util.Set;
import org.ffmpi.shm.LayoutChecks;
import org.junit.jupiter.api.Test;

/** The offsets of the job's head and of the ranks' blocks are those of their layouts. */
class SegmentLayoutTest {
  @Test
  void jobHead() {
    LayoutChecks.assertAgree(JobLayout.class, Set.of(), JobLayout.Shape.LAYOUT);
    assertEquals(JobLayout.BYTES, JobLayout.Shape.LAYOUT.byteSize());
    LayoutChecks.assertApart(
        JobLayout.Shape.LAYOUT,
        List.of(
            List.of("magic", "version", "ranks", "limit", "launcher", "key", "local"),
            List.of("ended", "code", "rank", "reasonBytes"),
            List.of("top"),
            List.of("numbers"),
            List.of("reason")));
  }

  @Test
  void rankBlock() {
    LayoutChecks.assertAgree(RankLayout.class, Set.of(), RankLayout.Shape.LAYOUT);
    assertEquals(RankLayout.BYTES, RankLayout.Shape.LAYOUT.byteSize());
    LayoutChecks.assertApart(
        RankLayout.Shape.LAYOUT,
        List.of(List.of("state", "exit", "pid"), List.of("wait"), List.of("rings"), List.of("pressure")));
  }

  @Test
  void survival() {
    LayoutChecks.assertAgree(SurvivalLayout.class, Set.of(), SurvivalLayout.Shape.LAYOUT);
    LayoutChecks.assertApart(
        SurvivalLayout.Shape.LAYOUT,
        List.of(List.of("survives", "lock"), List.of("agreements"), List.of("revoked"), List.of("failed")));
  }

  @Test
  void blocksFollowOneAnotherWithoutSharingLines() {
    assertEquals(0, JobLayout.BYTES % JobLayout.PAGE);
    assertEquals(0, RankLayout.BYTES % JobLayout.LINE_PAIR);
    assertTrue(JobLayout.LINE_PAIR >= 128);
    assertTrue(JobLayout.REASON_CAPACITY >= 1024);
  }

  @Test
  void ringDirectory() {
    int ranks = 5;
    SequenceLayout layout = RingDirectory.Shape.of(ranks);
    assertEquals(layout.byteSize(), RingDirectory.bytes(ranks));
    for (int from = 0; from < ranks; from++) {
      for (int to = 0; to < ranks; to++) {
        assertEquals(
            layout.byteOffset(PathElement.sequenceElement(to), PathElement.sequenceElement(from)),
            RingDirectory.entryOffset(ranks, from, to));
      }
    }
  }
}
