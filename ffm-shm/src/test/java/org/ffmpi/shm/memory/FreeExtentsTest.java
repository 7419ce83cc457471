// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Free memory by extents, against a bit for each unit. */
class FreeExtentsTest {
  private static final int UNITS = 2_000;
  private static final long UNIT = 64;
  private static final long BASE = 1L << 40;

  @Test
  void extentsAreWhatAModelSays() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    FreeExtents extents = new FreeExtents();
    BitSet free = new BitSet();
    TreeMap<Integer, Integer> taken = new TreeMap<>();
    extents.release(BASE, UNITS * UNIT);
    free.set(0, UNITS);
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(5) < 3) {
        int units = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
        long alignment = UNIT << random.nextInt(4);
        long start = extents.acquire(units * UNIT, alignment);
        assertEquals(fits(free, units, (int) (alignment / UNIT)), start != FreeExtents.NONE, "seed " + seed);
        if (start != FreeExtents.NONE) {
          int first = (int) ((start - BASE) / UNIT);
          assertEquals(0, start & alignment - 1, "seed " + seed);
          assertEquals(first + units, Math.min(free.nextClearBit(first), first + units), "seed " + seed);
          free.clear(first, first + units);
          taken.put(first, units);
        }
      } else if (!taken.isEmpty()) {
        Map.Entry<Integer, Integer> block = taken.ceilingEntry(random.nextInt(taken.lastKey() + 1));
        taken.remove(block.getKey());
        free.set(block.getKey(), block.getKey() + block.getValue());
        long start = extents.release(BASE + block.getKey() * UNIT, block.getValue() * UNIT);
        int first = free.previousClearBit(block.getKey()) + 1;
        assertEquals(BASE + first * UNIT, start, "seed " + seed);
        assertEquals((free.nextClearBit(first) - first) * UNIT, extents.lengthAt(start), "seed " + seed);
      }
    }
    taken.forEach((first, units) -> extents.release(BASE + first * UNIT, units * UNIT));
    assertEquals(UNITS * UNIT, extents.lengthAt(BASE), "all is one again, seed " + seed);
  }

  private static boolean fits(BitSet free, int units, int alignment) {
    for (int at = free.nextSetBit(0); at >= 0 && at < UNITS; at = free.nextSetBit(at + 1)) {
      if (at % alignment == 0 && free.nextClearBit(at) - at >= units) {
        return true;
      }
    }
    return false;
  }

  @Test
  void partsAreCutOut() {
    FreeExtents extents = new FreeExtents();
    extents.release(1_000, 500);
    extents.cut(1_000, 1_100, 100);
    assertEquals(100, extents.lengthAt(1_000));
    assertEquals(300, extents.lengthAt(1_200));
    assertEquals(1_200, extents.last());
    assertEquals(1_000, extents.release(1_100, 100));
    assertTrue(extents.acquire(501, 1) == FreeExtents.NONE && extents.acquire(500, 1) == 1_000);
    assertEquals(FreeExtents.NONE, extents.last());
  }
}
