// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** Words and windows of an exchange lie where {@link PhaseBlockLayout} draws them, and do not overlap. */
class PhaseBlockLayoutTest {
  private static final int RANKS = 5;
  private static final long WINDOW = 8192;

  @Test
  void wordsAndWindowsLieWhereTheDiagramHasThem() {
    assertEquals(4096 + 2 * WINDOW, PhaseBlockLayout.bytes(RANKS, WINDOW));
    assertEquals(8192 + 2 * WINDOW, PhaseBlockLayout.bytes(300, WINDOW));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] blocks = new MemorySegment[RANKS];
      for (int r = 0; r < RANKS; r++) {
        blocks[r] = arena.allocate(PhaseBlockLayout.bytes(RANKS, WINDOW), 4096);
      }
      PhaseBlockLayout layout = new PhaseBlockLayout(blocks, WINDOW);
      assertEquals(WINDOW, layout.window());
      for (int a = 0; a < RANKS; a++) {
        for (long round : new long[] {6, 7}) {
          layout.putThere(a, round, 100 + round);
          for (int r = 0; r < RANKS; r++) {
            layout.putCount(a, round, r, 10 * round + r);
          }
        }
      }
      for (int a = 0; a < RANKS; a++) {
        for (long round : new long[] {6, 7}) {
          assertEquals(100 + round, layout.getThere(a, round));
          assertEquals(100 + round, layout.getThere(a, round + 2));
          assertEquals(RANKS * 10 * round + 10, layout.sum(a, round));
          assertEquals(Raw.address(blocks[a]) + 4096 + (round - 6) * WINDOW, layout.address(a, round));
          assertEquals(WINDOW, layout.buffer(a, round, WINDOW).remaining());
        }
        assertEquals(106, blocks[a].get(ValueLayout.JAVA_LONG, 0));
        assertEquals(107, blocks[a].get(ValueLayout.JAVA_LONG, 8));
        assertEquals(60, blocks[a].get(ValueLayout.JAVA_LONG, 64));
        assertEquals(70, blocks[a].get(ValueLayout.JAVA_LONG, 64 + 8 * RANKS));
      }
    }
  }
}
