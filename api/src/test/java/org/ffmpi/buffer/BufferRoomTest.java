// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.ffmpi.base.Constants;
import org.junit.jupiter.api.Test;

/** Room in attached buffers, against a set of bytes. */
class BufferRoomTest {
  @Test
  void randomMessages() {
    long seed = Long.getLong("ffmpi.test.seed", new Random().nextLong());
    try {
      for (int size : new int[] {0, 1, 63, 64, 65, 1_000, 4_096, 100_001}) {
        fillAndEmpty(size, new Random(seed));
      }
    } catch (Throwable e) {
      throw new AssertionError("with -Dffmpi.test.seed=" + seed + ": " + e, e);
    }
  }

  private static void fillAndEmpty(int size, Random random) {
    BufferRoom room = new BufferRoom(size);
    BitSet used = new BitSet(size);
    List<BufferRoom.Piece[]> messages = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      int bytes = random.nextInt(size / (1 + random.nextInt(20)) + 1);
      BufferRoom.Piece[] pieces = room.claim(bytes);
      int free = size - used.cardinality();
      if (pieces == null) {
        assertTrue(free < bytes + Constants.BSEND_OVERHEAD, () -> "no room for " + bytes + " of " + free);
      } else {
        long data = 0;
        for (BufferRoom.Piece piece : pieces) {
          int start = (int) piece.start();
          int end = (int) (piece.start() + piece.bytes());
          assertTrue(start >= 0 && end <= size && piece.bytes() > 0 && piece.dataBytes() <= piece.bytes());
          assertEquals(0, start % 64);
          int next = used.nextSetBit(start);
          assertFalse(next >= 0 && next < end, "taken twice");
          used.set(start, end);
          data += piece.dataBytes();
        }
        assertEquals(bytes, data);
        messages.add(pieces);
      }
      while (!messages.isEmpty() && random.nextInt(10) < 4) {
        BufferRoom.Piece[] gone = messages.remove(random.nextInt(messages.size()));
        room.release(gone);
        for (BufferRoom.Piece piece : gone) {
          used.clear((int) piece.start(), (int) (piece.start() + piece.bytes()));
        }
      }
      assertEquals(size - used.cardinality(), room.free());
    }
    messages.forEach(room::release);
    assertEquals(size, room.free());
    if (size > Constants.BSEND_OVERHEAD) {
      BufferRoom.Piece[] whole = room.claim(size - Constants.BSEND_OVERHEAD);
      assertNotNull(whole);
      assertEquals(1, whole.length, "all gaps have been joined");
      assertNull(room.claim(size));
    }
  }

  @Test
  void piecesAreTakenWhenNoGapIsLongEnough() {
    BufferRoom room = new BufferRoom(64 * 6);
    BufferRoom.Piece[] first = room.claim(63);
    BufferRoom.Piece[] second = room.claim(100);
    BufferRoom.Piece[] third = room.claim(0);
    room.claim(64);
    assertNull(room.claim(0));
    room.release(first);
    room.release(third);
    BufferRoom.Piece[] pieces = room.claim(100);
    assertEquals(2, pieces.length);
    assertEquals(64, pieces[0].dataBytes());
    assertEquals(36, pieces[1].dataBytes());
    assertEquals(64 * 3, pieces[1].start());
    assertEquals(100, BufferRoom.plan(pieces).size());
    assertEquals(64, second[0].start());
  }
}
