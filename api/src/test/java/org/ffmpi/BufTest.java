// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The properties of buffers, and the memory that they refuse. */
class BufTest {
  private static final ByteOrder OTHER_ORDER =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;

  private static void assertBuf(Buf<?> buf, int kind, Object owner, long offset, long count, Datatype<?> type) {
    assertAll(
        () -> assertEquals(kind, BufImpl.of(buf).memoryKind()),
        () -> assertSame(owner, BufImpl.of(buf).memoryOwner()),
        () -> assertEquals(offset, BufImpl.of(buf).memoryOffset()),
        () -> assertEquals(count, buf.count()),
        () -> assertSame(type, buf.type()),
        () -> assertSame(TypeHandle.planOf(type), BufImpl.of(buf).plan()),
        () -> assertFalse(buf.isInPlace()),
        () -> assertFalse(buf.isReadOnly()),
        () -> assertTrue(BufImpl.of(buf).isSendable()),
        () -> assertTrue(BufImpl.of(buf).isReceivable()));
  }

  @Test
  void wholeArraysMapByWidth() {
    double[] d = new double[3];
    float[] f = new float[3];
    int[] i = new int[3];
    long[] l = new long[3];
    short[] s = new short[3];
    char[] c = new char[3];
    byte[] b = new byte[3];
    boolean[] z = new boolean[3];
    assertBuf(Buf.of(d), Memory.DOUBLES, d, 0, 3, Datatype.DOUBLE);
    assertBuf(Buf.of(f), Memory.FLOATS, f, 0, 3, Datatype.FLOAT);
    assertBuf(Buf.of(i), Memory.INTS, i, 0, 3, Datatype.INT32_T);
    assertBuf(Buf.of(l), Memory.LONGS, l, 0, 3, Datatype.INT64_T);
    assertBuf(Buf.of(s), Memory.SHORTS, s, 0, 3, Datatype.INT16_T);
    assertBuf(Buf.of(c), Memory.CHARS, c, 0, 3, Datatype.UINT16_T);
    assertBuf(Buf.of(b), Memory.BYTES, b, 0, 3, Datatype.INT8_T);
    assertBuf(Buf.of(z), Memory.BOOLEANS, z, 0, 3, Datatype.C_BOOL);
  }

  @Test
  @DisplayName("S1-3.2.2-a: length counts elements, not bytes")
  void slicesCountElements() {
    double[] a = new double[10];
    assertBuf(Buf.of(a, 4, 6), Memory.DOUBLES, a, 32, 6, Datatype.DOUBLE);
    assertBuf(Buf.of(a, 10, 0), Memory.DOUBLES, a, 80, 0, Datatype.DOUBLE);
    assertEquals(48, BufImpl.of(Buf.of(a, 4, 6)).memoryBytes());
  }

  @Test
  void slicesOutsideTheArrayAreRefused() {
    double[] a = new double[10];
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(a, 5, 6), "from = 5", "0..4", "6 of 10");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(a, -1, 2), "from = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(a, Integer.MAX_VALUE, 2), "from = 2147483647");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(a, 0, 11), "from = 0");
  }

  @Test
  @DisplayName("S1-3.2.1: a negative count is an error")
  void negativeCountsAreRefused() {
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new double[1], 0, -1), "count = -1");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new double[1], -2L, Datatype.DOUBLE), "count = -2");
    assertError(
        ErrorClass.ERR_COUNT, () -> Buf.of(MemorySegment.ofArray(new byte[1]), Long.MIN_VALUE, Datatype.BYTE), "count");
  }

  @Test
  void nullsAreRefused() {
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((double[]) null), "array = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((boolean[]) null, 0, 0), "array = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((int[]) null, 0, Datatype.INT), "array = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((MemorySegment) null, 0, Datatype.INT), "segment = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((ByteBuffer) null), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of((LongBuffer) null), "buffer = null");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new int[1], 1L, (Datatype<Integer>) null), "type = null");
  }

  @Test
  void arraysTakeTypesOfTheirKind() {
    byte[] bytes = new byte[32];
    assertEquals(2, Buf.of(bytes, 2, Datatype.LONG_DOUBLE).count());
    assertEquals(4, Buf.of(bytes, 4, Datatype.INT).count());
    assertSame(Datatype.UINT32_T, Buf.of(new int[4], 4, Datatype.UINT32_T).type());
    assertEquals(2, Buf.of(new double[4], 2, Datatype.C_DOUBLE_COMPLEX).count());
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new int[4], 1, Datatype.DOUBLE), "MPI_DOUBLE", "int[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new double[4], 1, Datatype.INT64_T), "MPI_INT64_T", "double[]");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.of(new char[4], 1, Datatype.CHAR), "MPI_CHAR", "char[]");
  }

  @Test
  void tooSmallMemoryIsRefused() {
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new double[3], 4, Datatype.DOUBLE), "24 bytes", "4 elements");
    MemorySegment s = Arena.ofAuto().allocate(31);
    assertEquals(3, Buf.of(s, 3, Datatype.DOUBLE).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s, 4, Datatype.DOUBLE), "31 bytes");
    // the last element needs its true extent only: 12 of 16 bytes
    assertEquals(2, Buf.of(s.asSlice(0, 28), 2, Datatype.DOUBLE_INT).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s.asSlice(0, 27), 2, Datatype.DOUBLE_INT), "27 bytes");
  }

  @Test
  void hugeCountsDoNotOverflow() {
    MemorySegment s = Arena.ofAuto().allocate(64);
    for (long count : new long[] {Long.MAX_VALUE, Long.MAX_VALUE / 8 + 2, 1L << 61, 1L << 60}) {
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s, count, Datatype.DOUBLE), Long.toString(count));
    }
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s, 1, Datatype.DOUBLE).at(Long.MAX_VALUE));
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(s, 1, Datatype.DOUBLE).at(8).at(Long.MIN_VALUE));
  }

  @Test
  @DisplayName("S1-2.5.5: one call accepts buffers of every kind of memory")
  void segmentsOfEveryKind() {
    MemorySegment auto = Arena.ofAuto().allocate(64, 8);
    assertBuf(Buf.of(auto, 8, Datatype.DOUBLE), Memory.NATIVE, auto, auto.address(), 8, Datatype.DOUBLE);
    long[] array = new long[8];
    MemorySegment onHeap = MemorySegment.ofArray(array).asSlice(16);
    assertBuf(Buf.of(onHeap, 6, Datatype.INT64_T), Memory.LONGS, array, 16, 6, Datatype.INT64_T);
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      MemorySegment c = confined.allocate(64);
      assertBuf(Buf.of(c, 64, Datatype.BYTE), Memory.CONFINED, c, 0, 64, Datatype.BYTE);
      MemorySegment s = shared.allocate(64);
      assertBuf(Buf.of(s, 64, Datatype.BYTE), Memory.SESSION, s, 0, 64, Datatype.BYTE);
    }
  }

  @Test
  @DisplayName("S1-2.5.6-a: addresses are absolute and 64 bits wide")
  void nativeOffsetsAreAddresses() {
    MemorySegment s = Arena.ofAuto().allocate(64);
    assertEquals(s.address() + 8, BufImpl.of(Buf.of(s, 1, Datatype.DOUBLE).at(8)).memoryOffset());
    assertEquals(s.address() + 24, BufImpl.of(Buf.of(s.asSlice(24), 1, Datatype.DOUBLE)).memoryOffset());
  }

  @Test
  void atMovesInsideTheMemoryOnly() {
    double[] a = new double[10];
    Buf<Double> two = Buf.of(a, 0, 2);
    assertEquals(64, BufImpl.of(two.at(64)).memoryOffset());
    assertEquals(8, BufImpl.of(two.at(64).at(-56)).memoryOffset());
    assertError(ErrorClass.ERR_BUFFER, () -> two.at(65));
    assertError(ErrorClass.ERR_BUFFER, () -> two.at(-1));
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.inPlace().at(0), "inPlace");
  }

  @Test
  void nioBuffersAreTakenFromPositionToLimit() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    bytes.position(8).limit(40);
    Buf<Double> doubles = Buf.of(bytes.asDoubleBuffer());
    assertEquals(4, doubles.count());
    assertEquals(Memory.NATIVE, BufImpl.of(doubles).memoryKind());
    assertEquals(MemorySegment.ofBuffer(bytes).address(), BufImpl.of(doubles).memoryOffset());
    assertEquals(32, Buf.of(bytes).count());
    assertEquals(8, Buf.of(bytes, 8, Datatype.INT).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(bytes, 9, Datatype.INT), "32 bytes");
    assertEquals(8, bytes.position());

    float[] array = new float[8];
    Buf<Float> floats = Buf.of(FloatBuffer.wrap(array, 2, 5));
    assertBuf(floats, Memory.FLOATS, array, 8, 5, Datatype.FLOAT);
    assertSame(Datatype.INT32_T, Buf.of(IntBuffer.allocate(2)).type());
    assertSame(Datatype.INT64_T, Buf.of(LongBuffer.allocate(2)).type());
    assertSame(Datatype.INT16_T, Buf.of(ShortBuffer.allocate(2)).type());
    assertSame(Datatype.UINT16_T, Buf.of(CharBuffer.allocate(2)).type());
    assertSame(Datatype.DOUBLE, Buf.of(DoubleBuffer.allocate(2)).type());
    assertSame(Datatype.INT8_T, Buf.of(ByteBuffer.allocate(2)).type());
  }

  @Test
  void nioBuffersOfTheOtherByteOrderAreRefused() {
    ByteBuffer other = ByteBuffer.allocate(64).order(OTHER_ORDER);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(other.asDoubleBuffer()), "byte order", OTHER_ORDER.toString());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(other.asCharBuffer()), "byte order");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(other, 1, Datatype.INT), "byte order");
    assertEquals(64, Buf.of(other).count(), "bytes have no order");
    assertEquals(64, Buf.of(other, 64, Datatype.BYTE).count(), "bytes have no order");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(CharBuffer.wrap("text")), "buffer = ");
  }

  @Test
  void readOnlyMemoryCanBeSentOnly() {
    for (Buf<?> buf : new Buf<?>[] {
        Buf.of(Arena.ofAuto().allocate(8).asReadOnly(), 1, Datatype.DOUBLE),
        Buf.of(MemorySegment.ofArray(new double[1]).asReadOnly(), 1, Datatype.DOUBLE),
        Buf.of(ByteBuffer.allocate(8).asReadOnlyBuffer()),
        Buf.of(ByteBuffer.allocateDirect(8).asReadOnlyBuffer())}) {
      assertTrue(buf.isReadOnly());
      assertTrue(BufImpl.of(buf).isSendable());
      assertFalse(BufImpl.of(buf).isReceivable());
      assertNull(BufImpl.of(buf).unusable("buf", false));
      assertTrue(BufImpl.of(buf).unusable("buf", true).getMessage().contains("writable"));
    }
  }

  @Test
  void closedArenasAreNoticed() {
    MemorySegment gone;
    Buf<?> kept;
    try (Arena arena = Arena.ofShared()) {
      gone = arena.allocate(64);
      kept = Buf.of(gone, 8, Datatype.DOUBLE);
    }
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(gone, 8, Datatype.DOUBLE), "arena of this buffer has been closed");
    assertFalse(BufImpl.of(kept).isSendable());
    assertEquals(ErrorClass.ERR_BUFFER, BufImpl.of(kept).unusable("buf", false).errorClass());
  }

  @Test
  void confinedMemoryBelongsToItsThread() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      Buf<?> buf = Buf.of(arena.allocate(8), 1, Datatype.DOUBLE);
      assertTrue(BufImpl.of(buf).isReceivable());
      Thread other = Thread.ofPlatform().name("other").start(() -> {
        assertFalse(BufImpl.of(buf).isSendable());
        assertTrue(BufImpl.of(buf).unusable("buf", false).getMessage().contains("other"));
      });
      Throwable[] failure = new Throwable[1];
      other.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
      other.join();
      assertNull(failure[0]);
    }
  }

  @Test
  @DisplayName("S1-2.5.4-f: the in-place marker is one object that no buffer equals")
  void inPlaceIsAMarker() {
    assertSame(Buf.inPlace(), Buf.<Integer>inPlace());
    assertTrue(Buf.inPlace().isInPlace());
    assertEquals(0, Buf.inPlace().count());
    assertNotEquals(Buf.inPlace(), Buf.of(new byte[0]));
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.inPlace().type());
    assertError(ErrorClass.ERR_BUFFER, () -> BufImpl.of(Buf.inPlace()).plan());
    assertEquals("Buf.inPlace()", Buf.inPlace().toString());
  }

  @Test
  void overlapIsSeen() {
    double[] a = new double[10];
    assertTrue(BufImpl.of(Buf.of(a)).overlaps(Buf.of(a)));
    assertTrue(BufImpl.of(Buf.of(a, 0, 5)).overlaps(Buf.of(a, 4, 5)));
    assertFalse(BufImpl.of(Buf.of(a, 0, 5)).overlaps(Buf.of(a, 5, 5)));
    assertFalse(BufImpl.of(Buf.of(a)).overlaps(Buf.of(a, 3, 0)));
    assertFalse(BufImpl.of(Buf.of(a)).overlaps(Buf.of(new double[10])));
    MemorySegment s = Arena.ofAuto().allocate(64);
    assertTrue(BufImpl.of(Buf.of(s, 8, Datatype.DOUBLE)).overlaps(Buf.of(s.asSlice(56), 1, Datatype.DOUBLE)));
    assertFalse(BufImpl.of(Buf.of(s, 7, Datatype.DOUBLE)).overlaps(Buf.of(s.asSlice(56), 1, Datatype.DOUBLE)));
  }

  @Test
  void textNamesCountTypeAndMemory() {
    assertEquals("Buf[2 x MPI_DOUBLE in double[] of 32 bytes at byte 16]", Buf.of(new double[4], 2, 2).toString());
    assertEquals(
        "Buf[1 x MPI_INT in segment of 8 bytes at byte 4]",
        Buf.of(Arena.ofAuto().allocate(8), 1, Datatype.INT).at(4).toString());
  }
}
