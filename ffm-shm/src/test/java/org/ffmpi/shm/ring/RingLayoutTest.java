// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.ffmpi.shm.LayoutChecks;
import org.junit.jupiter.api.Test;

/** The offsets of rings and slots are those of their layouts. */
class RingLayoutTest {
  @Test
  void controlAndSlots() {
    LayoutChecks.assertAgree(
        RingLayout.class, Set.of("FIRST_SLOT_OFFSET"), RingLayout.Shape.CONTROL, RingLayout.Shape.SLOT);
    assertEquals(RingLayout.FIRST_SLOT_OFFSET, RingLayout.Shape.CONTROL.byteSize());
    assertEquals(RingLayout.SLOT_BYTES, RingLayout.Shape.SLOT.byteSize());
    assertEquals(RingLayout.SLOT_BYTES, 1 << RingLayout.SLOT_SHIFT);
    assertEquals(0, RingLayout.SLOT_BYTES % 64, "slots begin on lines");
    LayoutChecks.assertApart(
        RingLayout.Shape.CONTROL, List.of(List.of("slotHead", "bulkHead"), List.of("slots", "bulkBytes")));
  }

  @Test
  void memoryOfARing() {
    assertEquals(256 + 4 * RingLayout.SLOT_BYTES + 1024, RingLayout.bytes(4, 1024));
    long slots = (1L << 20) * RingLayout.SLOT_BYTES;
    assertEquals(256 + slots + (1L << 30), RingLayout.bytes(RingLayout.MAX_SLOTS, RingLayout.MAX_BULK));
  }

  @Test
  void onlyPowersOfTwoWithinBoundsAreShapes() {
    assertTrue(RingLayout.isShape(RingLayout.MIN_SLOTS, RingLayout.MIN_BULK));
    assertTrue(RingLayout.isShape(RingLayout.MAX_SLOTS, RingLayout.MAX_BULK));
    for (int bad : new int[] {Integer.MIN_VALUE, -2, -1, 0, 1, 3, 6, RingLayout.MAX_SLOTS * 2}) {
      assertFalse(RingLayout.isShape(bad, 64), bad + " slots");
    }
    for (int bad : new int[] {Integer.MIN_VALUE, -64, 0, 1, 32, 65, 96, (1 << 30) + 64}) {
      assertFalse(RingLayout.isShape(4, bad), bad + " bulk bytes");
    }
  }
}
