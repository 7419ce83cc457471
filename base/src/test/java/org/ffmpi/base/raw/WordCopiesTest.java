// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies of up to 8 bytes between arrays and memory, for every kind and offset, of whole elements and parts. */
class WordCopiesTest {
  private static final int BYTES = 32;

  private static List<MemorySegment> arrays() {
    return List.of(
        MemorySegment.ofArray(new byte[BYTES]), MemorySegment.ofArray(new char[BYTES / 2]),
        MemorySegment.ofArray(new short[BYTES / 2]), MemorySegment.ofArray(new int[BYTES / 4]),
        MemorySegment.ofArray(new long[BYTES / 8]), MemorySegment.ofArray(new float[BYTES / 4]),
        MemorySegment.ofArray(new double[BYTES / 8]));
  }

  private static void fill(MemorySegment segment, int seed) {
    for (int i = 0; i < segment.byteSize(); i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + seed));
    }
  }

  @Test
  void everyRangeIsCopiedAndNothingBesideIt() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES, 8);
      for (MemorySegment array : arrays()) {
        Object owner = array.heapBase().orElseThrow();
        int kind = Memory.kindOfArray(owner);
        for (int bytes = 0; bytes <= 9; bytes++) {
          for (int offset = 0; offset + bytes <= BYTES; offset++) {
            fill(array, 3);
            fill(memory, 100);
            MemorySegment expected = MemorySegment.ofArray(new byte[BYTES]);
            MemorySegment.copy(memory, 0, expected, 0, BYTES);
            MemorySegment.copy(array, offset, expected, 8, bytes);
            Memory.read(kind, owner, offset, Raw.address(memory) + 8, bytes);
            String what = "kind " + kind + ", " + bytes + " bytes at " + offset;
            assertEquals(-1, expected.mismatch(memory), "read: " + what);

            fill(memory, 100);
            MemorySegment.copy(array, 0, expected, 0, BYTES);
            MemorySegment.copy(memory, 8, expected, offset, bytes);
            Memory.write(kind, owner, offset, Raw.address(memory) + 8, bytes);
            assertEquals(-1, expected.mismatch(array), "write: " + what);
          }
        }
      }
    }
  }

  @Test
  void aRangeThatDoesNotFitMovesNothing() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES, 8);
      for (MemorySegment array : arrays()) {
        Object owner = array.heapBase().orElseThrow();
        int kind = Memory.kindOfArray(owner);
        for (int bytes = 1; bytes <= 8; bytes++) {
          for (long offset : new long[] {-8, -1, BYTES - bytes + 1, BYTES - bytes + 4, BYTES, 1L << 40}) {
            if (offset >= 0 && offset + bytes <= BYTES) {
              continue;
            }
            fill(array, 3);
            fill(memory, 100);
            MemorySegment expected = MemorySegment.ofArray(new byte[BYTES]);
            MemorySegment.copy(array, 0, expected, 0, BYTES);
            int n = bytes;
            String what = "kind " + kind + ", " + bytes + " bytes at " + offset;
            assertThrows(
                RuntimeException.class, () -> Memory.write(kind, owner, offset, Raw.address(memory) + 8, n), what);
            assertEquals(-1, expected.mismatch(array), what);
            assertThrows(
                RuntimeException.class, () -> Memory.read(kind, owner, offset, Raw.address(memory) + 8, n), what);
          }
        }
      }
    }
  }
}
