// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

/** Counting elements of types that consist of nothing, or hold parts that do. */
class EmptyPartsTest {
  private static long[] longs(long... values) {
    return values;
  }

  /** Nothing, in calls within calls. */
  private static Datatype<?> nothing() {
    Datatype<?> empty = Datatype.contiguous(0, Datatype.DOUBLE);
    Datatype<?> resized = Datatype.vector(3, 2, 5, empty).resized(-8, 24);
    Datatype<?> none = Datatype.struct(longs(), longs());
    Datatype<?> zero = Datatype.hindexed(longs(0, 0), longs(8, 16), Datatype.INT);
    return Datatype.struct(longs(2, 1, 0, 3), longs(0, 40, 80, 96), resized, none, Datatype.INT, zero);
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§3.2.5 S1-4.12: types of size 0 hold 0 elements of an empty message, and no number of another")
  void typesOfSizeZero(Comm world) {
    try (Datatype<?> empty = Datatype.contiguous(7, nothing()).commit()) {
      assertEquals(0, empty.size());
      Status status = Way.SENDRECV.pass(world, Buf.of(new byte[1], 0, 5, empty), Buf.of(new byte[1], 0, 9, empty));
      assertEquals(0, status.bytes());
      assertEquals(0, status.getCount(empty));
      assertEquals(0, status.getElements(empty));
      assertEquals(0, status.getCount(Datatype.INT));
      status = Way.SENDRECV.pass(world, Buf.of(new int[1]), Buf.of(new int[1]));
      assertEquals(Constants.UNDEFINED, status.getCount(empty));
      assertEquals(Constants.UNDEFINED, status.getElements(empty));
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.12 S1-4.1.11-e: parts of size 0 between others are no elements")
  void partsOfSizeZero(Comm world) {
    Datatype<?> inner = Datatype.struct(
        longs(1, 1, 4, 1), longs(0, 0, 8, 8), nothing(), Datatype.INT, nothing(), Datatype.SHORT).resized(0, 12);
    try (Datatype<?> type = Datatype.struct(
        longs(2, 1, 2), longs(0, 0, 24), nothing(), Datatype.contiguous(2, nothing()), inner).resized(0, 48).commit()) {
      assertEquals(12, type.size());
      byte[] memory = new byte[200];
      for (int bytes = 0; bytes <= 30; bytes++) {
        Status status =
            Way.SENDRECV.pass(world, Buf.of(new byte[bytes], bytes, Datatype.PACKED), Buf.of(memory, 4, type));
        assertEquals(bytes % 12 == 0 ? bytes / 12 : Constants.UNDEFINED, status.getCount(type), bytes + " bytes");
        long elements = switch (bytes % 6) {
          case 0 -> bytes / 6 * 2;
          case 4 -> bytes / 6 * 2 + 1;
          default -> Constants.UNDEFINED;
        };
        assertEquals(elements, status.getElements(type), bytes + " bytes");
      }
    }
  }
}
