// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.pointer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** The words of a file lie where {@link SharedWordLayout} draws them, each in a cache line of its own. */
class SharedWordLayoutTest {
  private static final int RANKS = 3;

  @Test
  void wordsLieWhereTheDiagramHasThem() {
    assertEquals(128 + 64 * RANKS, SharedWordLayout.bytes(RANKS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(SharedWordLayout.bytes(RANKS), 64);
      long block = Raw.address(memory);
      assertTrue(SharedWordLayout.casOwner(block, 0, 5));
      assertFalse(SharedWordLayout.casOwner(block, 0, 6));
      assertEquals(5, SharedWordLayout.getOwner(block));
      SharedWordLayout.putPointer(block, 70);
      assertEquals(70, SharedWordLayout.addPointer(block, 7));
      assertEquals(77, SharedWordLayout.getPointer(block));
      for (int r = 0; r < RANKS; r++) {
        SharedWordLayout.addShares(block, r, r + 1L);
        assertEquals(r + 1, SharedWordLayout.getShares(block, r));
      }
      long[] words = memory.toArray(ValueLayout.JAVA_LONG);
      for (int i = 0; i < words.length; i++) {
        long expected = switch (i) {
          case 0 -> 5;
          case 8 -> 77;
          default -> i >= 16 && i % 8 == 0 ? (i - 16) / 8 + 1 : 0;
        };
        assertEquals(expected, words[i], "word " + i);
      }
      SharedWordLayout.releaseOwner(block);
      assertEquals(0, SharedWordLayout.getOwner(block));
    }
  }
}
