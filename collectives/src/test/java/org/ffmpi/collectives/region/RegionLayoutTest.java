// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;

/** The offsets in regions are those of their layouts; what different ranks write lies in lines of its own. */
class RegionLayoutTest {
  @Test
  void offsets() {
    assertEquals(RegionLayout.LEFT_OFFSET, offset(RegionLayout.Shape.REGION, "left"));
    assertEquals(RegionLayout.WAITING_OFFSET, offset(RegionLayout.Shape.REGION, "waiting"));
    assertEquals(RegionLayout.FIRST_PART_OFFSET, RegionLayout.Shape.REGION.byteSize());
    assertEquals(RegionLayout.PART_FINISHED_OFFSET, offset(RegionLayout.Shape.PART, "partFinished"));
    assertEquals(RegionLayout.PART_FAILED_OFFSET, offset(RegionLayout.Shape.PART, "partFailed"));
    assertEquals(RegionLayout.FIRST_SLOT_OFFSET, RegionLayout.Shape.PART.byteSize());
    assertEquals(RegionLayout.FLAG_OFFSET, offset(RegionLayout.Shape.SLOT, "flag"));
    assertEquals(RegionLayout.PAYLOAD_OFFSET, RegionLayout.Shape.SLOT.byteSize());
  }

  private static long offset(StructLayout layout, String member) {
    PathElement path = PathElement.groupElement(member);
    MemoryLayout found = layout.select(path);
    assertEquals(0, layout.byteOffset(path) % found.byteAlignment(), member + " is aligned");
    return layout.byteOffset(path);
  }

  @Test
  void partsAndSlotsLieApart() {
    for (int ranks = 1; ranks <= 1000; ranks = ranks * 3 + 1) {
      long capacity = Region.capacity(ranks);
      assertTrue(capacity >= 1 << 10 && capacity <= 8 << 10, ranks + " ranks: " + capacity);
      assertEquals(0, RegionLayout.slotBytes(capacity) % RegionLayout.LINE_PAIR);
      assertEquals(0, RegionLayout.partBytes(Region.SLOTS, capacity) % RegionLayout.LINE_PAIR);
      long stage = capacity + RegionLayout.STAGE_AFTER_CAPACITY;
      assertTrue(stage >= RegionLayout.PAYLOAD_OFFSET + capacity, "the stage lies behind the payload");
      assertTrue(stage + Long.BYTES <= RegionLayout.slotBytes(capacity), "and in the slot");
      assertEquals(
          RegionLayout.FIRST_PART_OFFSET
              + ranks * (RegionLayout.FIRST_SLOT_OFFSET + Region.SLOTS * RegionLayout.slotBytes(capacity)),
          Region.bytes(ranks, Region.SLOTS, capacity));
    }
  }

  @Test
  void regionsOfOneCallAreAsLongAsItNeeds() {
    assertEquals(128, Region.capacityFor(0, 2));
    assertEquals(128, Region.capacityFor(1, 2));
    assertEquals(128, Region.capacityFor(128, 2));
    assertEquals(256, Region.capacityFor(129, 2));
  }
}
