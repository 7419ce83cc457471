// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;

/** The offsets on boards are those of their layouts; what different ranks write lies in lines of its own. */
class BoardLayoutTest {
  @Test
  void offsets() {
    assertEquals(BoardLayout.LEFT_OFFSET, offset(BoardLayout.Shape.BOARD, "left"));
    assertEquals(BoardLayout.WAITING_OFFSET, offset(BoardLayout.Shape.BOARD, "waiting"));
    assertEquals(BoardLayout.FIRST_PART_OFFSET, BoardLayout.Shape.BOARD.byteSize());
    assertEquals(BoardLayout.PART_FINISHED_OFFSET, offset(BoardLayout.Shape.PART, "partFinished"));
    assertEquals(BoardLayout.PART_FAILED_OFFSET, offset(BoardLayout.Shape.PART, "partFailed"));
    assertEquals(BoardLayout.FIRST_SLOT_OFFSET, BoardLayout.Shape.PART.byteSize());
    assertEquals(BoardLayout.FLAG_OFFSET, offset(BoardLayout.Shape.SLOT, "flag"));
    assertEquals(BoardLayout.FINISHED_OFFSET, offset(BoardLayout.Shape.SLOT, "finished"));
    assertEquals(BoardLayout.PAYLOAD_OFFSET, BoardLayout.Shape.SLOT.byteSize());
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
      long capacity = Board.capacity(ranks);
      assertTrue(capacity >= 1 << 10 && capacity <= 8 << 10, ranks + " ranks: " + capacity);
      assertEquals(0, BoardLayout.slotBytes(capacity) % BoardLayout.LINE_PAIR);
      assertEquals(0, BoardLayout.partBytes(Board.SLOTS, capacity) % BoardLayout.LINE_PAIR);
      long stage = capacity + BoardLayout.STAGE_AFTER_CAPACITY;
      assertTrue(stage >= BoardLayout.PAYLOAD_OFFSET + capacity, "the stage lies behind the payload");
      assertTrue(stage + Long.BYTES <= BoardLayout.slotBytes(capacity), "and in the slot");
      assertEquals(
          BoardLayout.FIRST_PART_OFFSET
              + ranks * (BoardLayout.FIRST_SLOT_OFFSET + Board.SLOTS * BoardLayout.slotBytes(capacity)),
          Board.bytes(ranks, Board.SLOTS, capacity));
    }
  }

  @Test
  void boardsOfOneCallAreAsLongAsItNeeds() {
    assertEquals(128, Board.capacityFor(0, 2));
    assertEquals(128, Board.capacityFor(1, 2));
    assertEquals(128, Board.capacityFor(128, 2));
    assertEquals(256, Board.capacityFor(129, 2));
  }
}
