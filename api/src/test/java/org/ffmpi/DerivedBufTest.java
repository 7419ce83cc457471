// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Buffers whose elements have gaps, reach below their origin, or are of a type that has been freed. */
class DerivedBufTest {
  private final double[] matrix = new double[100];

  private static Datatype<Double> column() {
    return Datatype.vector(10, 1, 10, Datatype.DOUBLE).commit();
  }

  @Test
  void arraysOfEveryKindThatHoldsTheData() {
    Buf<Double> third = Buf.of(matrix, 1, column()).at(8 * 3);
    assertTrue(BufImpl.of(third).isSendable());
    assertTrue(BufImpl.of(third).isReceivable());
    assertEquals("Buf[1 x vector(10, 1, 10, MPI_DOUBLE) in double[] of 800 bytes at byte 24]", third.toString());
    Datatype<Object> mixed =
        Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.DOUBLE, Datatype.INT).commit();
    Buf.of(new byte[16], 1, mixed);
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(matrix, 1, mixed), "struct", "double[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new long[100], 1, column()), "vector(10, 1, 10, MPI_DOUBLE)");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(matrix, 1, column()).at(8 * 10), "800 bytes");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(matrix, 2, column()), "2 elements");
    assertEquals(10, Buf.of(matrix, 10, column().resized(0, 8).commit()).count());
  }

  @Test
  void elementsThatReachBelowTheirOrigin() {
    Datatype<Double> below = Datatype.hindexed(new long[] {1, 1}, new long[] {0, -16}, Datatype.DOUBLE).commit();
    double[] three = {1, 2, 3};
    Buf<Double> buf = Buf.of(three, 16, 1, below);
    double[] two = new double[2];
    byte[] packed = new byte[16];
    Packer.into(packed).pack(buf);
    Unpacker.from(packed).unpack(Buf.of(two));
    assertArrayEquals(new double[] {3, 1}, two);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(three, 1, below), "24 bytes");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(three, 8, 1, below), "24 bytes");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(three, Long.MAX_VALUE, 1, below));
    MemorySegment s = Arena.ofAuto().allocate(24);
    assertEquals(s.address() + 16, BufImpl.of(Buf.of(s, 16, 1, below)).memoryOffset());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s, Long.MAX_VALUE, 1, below), "byteOffset");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((MemorySegment) null, 16, 1, below), "segment = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((double[]) null, 16, 1, below), "array = null");
  }

  @Test
  @DisplayName("S1-4.1.9-a: an uncommitted type is refused by the call, and accepted once it is committed")
  void uncommittedTypes() {
    Datatype<Double> late = Datatype.vector(10, 1, 10, Datatype.DOUBLE);
    Buf<Double> buf = Buf.of(matrix, 1, late);
    assertFalse(BufImpl.of(buf).isSendable());
    assertError(ErrorClass.ERR_TYPE, () -> {
      throw BufImpl.of(buf).unusable("buffer", false);
    }, "buffer: type vector(10, 1, 10, MPI_DOUBLE) is not committed");
    assertError(ErrorClass.ERR_TYPE, () -> BufImpl.of(buf).plan(), "commit()");
    late.commit();
    assertNull(BufImpl.of(buf).unusable("buffer", true));
    assertSame(TypeHandle.planOf(late), BufImpl.of(buf).plan());
  }

  @Test
  @DisplayName("S1-4.1.9-e: a freed type is refused by the call, but what is under way keeps its plan")
  void freedTypes() {
    Datatype<Double> type = column();
    Buf<Double> buf = Buf.of(matrix, 1, type);
    var plan = BufImpl.of(buf).plan();
    type.close();
    assertFalse(BufImpl.of(buf).isSendable());
    assertFalse(BufImpl.of(buf).isReceivable());
    assertSame(plan, BufImpl.of(buf).plan());
    assertError(ErrorClass.ERR_TYPE, () -> {
      throw BufImpl.of(buf).unusable("buffer", true);
    }, "freed");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(matrix, 1, type), "freed");
    assertError(ErrorClass.ERR_TYPE, () -> buf.at(8), "freed");
    assertTrue(buf.toString().contains("vector"), buf.toString());
    Worlds world = Worlds.returning(0, 2);
    assertError(ErrorClass.ERR_TYPE, () -> world.world.send(buf, 1, 1), "freed");
  }

  @Test
  void nioBuffersWithTypesOfTheirOwn() {
    ByteBuffer direct = ByteBuffer.allocateDirect(800).order(java.nio.ByteOrder.nativeOrder());
    assertEquals(1, Buf.of(direct, 1, column()).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(ByteBuffer.allocateDirect(800), 1, column()), "byte order");
    Buf.of(ByteBuffer.allocateDirect(800), 1, Datatype.vector(10, 1, 10, Datatype.CHAR)); // bytes have no order
  }
}
