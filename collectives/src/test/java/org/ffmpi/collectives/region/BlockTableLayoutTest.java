// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The parts of an entry do not overlap, and each holds the largest value that a region needs. */
class BlockTableLayoutTest {
  @Test
  void partsOfEntries() {
    for (int where = 0; where < 4; where++) {
      for (long position : new long[] {0, 8, Region.capacity(2), (1 << 14) - 1}) {
        for (int reader : new int[] {0, 1, 0xFFFF}) {
          for (long bytes : new long[] {0, 1, Integer.MAX_VALUE, 0xFFFF_FFFFL}) {
            long entry = BlockTableLayout.entry(where, position, reader, bytes);
            assertEquals(where, BlockTableLayout.where(entry));
            assertEquals(position, BlockTableLayout.position(entry));
            assertEquals(reader, BlockTableLayout.reader(entry));
            assertEquals(bytes, BlockTableLayout.bytes(entry));
          }
        }
      }
    }
    assertTrue(Region.capacity(1) <= BlockTableLayout.POSITION_MASK, "every position fits");
  }

  @Test
  void entriesAndLocationsFitIntoTheSlot() {
    for (long capacity = 128; capacity <= Region.capacity(1); capacity += 128) {
      long entries = BlockTableLayout.mostEntries(capacity);
      long end = BlockTableLayout.FIRST_ENTRY_OFFSET
          + entries * (BlockTableLayout.ENTRY_BYTES + BlockTableLayout.LOCATION_BYTES);
      assertTrue(entries > 0 && end <= capacity, capacity + " bytes: " + entries + " entries");
    }
  }
}
