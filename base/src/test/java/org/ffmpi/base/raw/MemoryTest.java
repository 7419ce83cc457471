// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryTest {
  private static final int SIZE = 512;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment scratch = arena.allocate(SIZE, 8);
  private final long address = Raw.address(scratch);

  @AfterEach
  void close() {
    arena.close();
  }

  static Stream<Object> arrays() {
    return Stream.of(
        new byte[SIZE],
        new char[SIZE / 2],
        new short[SIZE / 2],
        new int[SIZE / 4],
        new long[SIZE / 8],
        new float[SIZE / 4],
        new double[SIZE / 8]);
  }

  private static MemorySegment segmentOf(Object array) {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      default -> throw new AssertionError(array);
    };
  }

  private void roundTrip(int kind, Object owner, long start, MemorySegment view, long step) {
    Random random = new Random(42);
    byte[] content = new byte[SIZE];
    for (long from = 0; from < 80; from += step) {
      for (long bytes = 0; bytes <= 200; bytes += step) {
        random.nextBytes(content);
        MemorySegment.copy(content, 0, view, ValueLayout.JAVA_BYTE, 0, SIZE);
        scratch.fill((byte) 0);
        Memory.read(kind, owner, start + from, address + 3, bytes);
        assertEquals(-1, scratch.asSlice(3, bytes).mismatch(view.asSlice(from, bytes)), "read at " + from);
        assertEquals(0, scratch.get(ValueLayout.JAVA_BYTE, 3 + bytes));

        byte[] expected = view.toArray(ValueLayout.JAVA_BYTE);
        random.nextBytes(content);
        MemorySegment.copy(content, 0, scratch, ValueLayout.JAVA_BYTE, 0, SIZE);
        System.arraycopy(content, 3, expected, (int) from, (int) bytes);
        Memory.write(kind, owner, start + from, address + 3, bytes);
        assertArrayEquals(expected, view.toArray(ValueLayout.JAVA_BYTE), bytes + " bytes written at " + from);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void copiesAnyBytesOfAnyArray(Object array) {
    int kind = Memory.kindOfArray(array);
    roundTrip(kind, array, 0, segmentOf(array), 1);
    assertEquals(Memory.elementSize(kind), SIZE / Array.getLength(array));
  }

  @Test
  void copiesAnyBytesOfAnySegment() {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      for (Arena from : new Arena[] {Arena.global(), Arena.ofAuto(), confined, shared}) {
        MemorySegment segment = from.allocate(SIZE + 8).asSlice(8);
        roundTrip(Memory.kindOf(segment), Memory.ownerOf(segment), Memory.offsetOf(segment), segment, 3);
      }
    }
  }

  @Test
  void booleansAreZeroAndOneOutsideAndAnythingButZeroIsTrue() {
    boolean[] array = {false, true, true, false, true};
    assertEquals(Memory.BOOLEANS, Memory.kindOfArray(array));
    Memory.read(Memory.BOOLEANS, array, 1, address, 4);
    assertArrayEquals(new byte[] {1, 1, 0, 1}, scratch.asSlice(0, 4).toArray(ValueLayout.JAVA_BYTE));
    scratch.set(ValueLayout.JAVA_BYTE, 0, (byte) -128);
    scratch.set(ValueLayout.JAVA_BYTE, 1, (byte) 0);
    Memory.write(Memory.BOOLEANS, array, 3, address, 2);
    assertArrayEquals(new boolean[] {false, true, true, true, false}, array);
    assertThrows(IndexOutOfBoundsException.class, () -> Memory.write(Memory.BOOLEANS, array, 4, address, 2));
    assertArrayEquals(new boolean[] {false, true, true, true, false}, array);
  }

  @Test
  void signallingNansSurvive() {
    double[] nan = {Double.longBitsToDouble(0x7ff0000000000001L)};
    Memory.read(Memory.DOUBLES, nan, 0, address, 8);
    assertEquals(0x7ff0000000000001L, Raw.getLong(address));
    double[] back = new double[1];
    Memory.write(Memory.DOUBLES, back, 0, address, 8);
    assertEquals(0x7ff0000000000001L, Double.doubleToRawLongBits(back[0]));
  }

  @Test
  void recognisesWhatMemoryLiesIn(@TempDir Path folder) throws IOException {
    assertEquals(Memory.NATIVE, Memory.kindOf(Arena.global().allocate(8)));
    assertEquals(Memory.NATIVE, Memory.kindOf(Arena.ofAuto().allocate(8)));
    assertEquals(Memory.NATIVE, Memory.kindOf(MemorySegment.NULL));
    assertEquals(Memory.NATIVE, Memory.kindOf(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8))));
    assertEquals(Memory.NATIVE, Memory.kindOf(Raw.view(address, 8)));
    assertEquals(Memory.CONFINED, Memory.kindOf(scratch));
    assertEquals(Memory.CONFINED, Memory.kindOf(scratch.asSlice(4).asReadOnly()));
    assertEquals(Memory.CONFINED, Memory.kindOf(MemorySegment.ofBuffer(scratch.asByteBuffer())));
    assertEquals(Memory.SESSION, Memory.kindOf(MemorySegment.ofArray(new int[2]).asReadOnly()));
    assertEquals(Memory.INTS, Memory.kindOf(MemorySegment.ofArray(new int[2])));
    assertEquals(Memory.BYTES, Memory.kindOf(MemorySegment.ofBuffer(ByteBuffer.allocate(8))));
    Path file = Files.write(folder.resolve("mapped"), new byte[64]);
    try (Arena shared = Arena.ofShared();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertEquals(Memory.SESSION, Memory.kindOf(shared.allocate(8)));
      FileChannel.MapMode mode = FileChannel.MapMode.READ_WRITE;
      assertEquals(Memory.SESSION, Memory.kindOf(channel.map(mode, 0, 64, shared)));
      assertEquals(Memory.NATIVE, Memory.kindOf(channel.map(mode, 0, 64, Arena.ofAuto())));
      assertEquals(Memory.NATIVE, Memory.kindOf(MemorySegment.ofBuffer(channel.map(mode, 0, 64))));
    }
  }

  @Test
  void findsTheArrayBehindAHeapSegment() {
    long[] array = {1, 2, 3};
    MemorySegment slice = MemorySegment.ofArray(array).asSlice(8);
    assertSame(array, Memory.ownerOf(slice));
    assertEquals(8, Memory.offsetOf(slice));
    Memory.read(Memory.kindOf(slice), Memory.ownerOf(slice), Memory.offsetOf(slice), address, 8);
    assertEquals(2, Raw.getLong(address));
  }

  @Test
  void readOnlyArraysCanBeReadButNotWritten() {
    MemorySegment readOnly = MemorySegment.ofArray(new long[] {7, 8}).asReadOnly();
    assertFalse(Memory.isWritable(readOnly));
    assertTrue(Memory.isWritable(scratch));
    assertTrue(Memory.isWritable(new int[1]));
    Memory.read(Memory.SESSION, readOnly, 8, address, 8);
    assertEquals(8, Raw.getLong(address));
    assertThrows(RuntimeException.class, () -> Memory.write(Memory.SESSION, readOnly, 0, address, 16));
    assertThrows(RuntimeException.class, () -> Memory.write(Memory.SESSION, readOnly, 0, address, 8));
  }

  @Test
  void refusesWhatIsNoArrayOfPrimitives() {
    MpiException e = assertThrows(MpiException.class, () -> Memory.kindOfArray(new String[0]));
    assertEquals(ErrorClass.ERR_BUFFER, e.errorClass());
    assertEquals("MPI_ERR_BUFFER: buffer = java.lang.String[]: allowed are arrays of a primitive type", e.getMessage());
    assertThrows(MpiException.class, () -> Memory.kindOfArray(null));
    assertThrows(IllegalArgumentException.class, () -> Memory.read(11, new int[1], 0, address, 4));
    assertThrows(IllegalArgumentException.class, () -> Memory.write(-1, new int[1], 0, address, 4));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void rangesOutsideAnArrayAreRefused(Object array) {
    int kind = Memory.kindOfArray(array);
    for (long bytes : new long[] {8, 16, 9}) {
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.read(kind, array, SIZE - 7, address, bytes));
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.write(kind, array, SIZE, address, bytes));
      assertThrows(IndexOutOfBoundsException.class, () -> Memory.write(kind, array, -8, address, bytes));
    }
  }

  @Test
  void boundsCountEveryElementWhicheverWayTheyRun() {
    Memory.checkBounds("buf", 80, 0, 10, 8, 0, 8);
    Memory.checkBounds("buf", 80, 72, 10, -8, 0, 8);
    Memory.checkBounds("buf", 76, 0, 10, 8, 0, 4);
    Memory.checkBounds("buf", 0, 0, 0, 8, 0, 8);
    Memory.checkBounds("buf", 8, 0, 17, 1344, 0, 0);
    Memory.checkBounds("buf", 80, 8, 1, 8, -8, 80);
    assertOutside(79, 0, 10, 8, 0, 8);
    assertOutside(80, 71, 10, -8, 0, 8);
    assertOutside(80, 1, 10, 8, 0, 8);
    assertOutside(80, 0, 1, 8, -1, 8);
    assertOutside(80, 0, Long.MAX_VALUE, 8, 0, 8);
    assertOutside(80, 0, Long.MAX_VALUE, 1, Long.MAX_VALUE, 8);
    assertOutside(Long.MAX_VALUE, Long.MAX_VALUE, 2, 8, 0, 8);
    assertOutside(80, 0, 3, Long.MIN_VALUE, 0, 8);
  }

  private static void assertOutside(long available, long start, long count, long extent, long lower, long trueExtent) {
    MpiException e = assertThrows(
        MpiException.class, () -> Memory.checkBounds("recv", available, start, count, extent, lower, trueExtent));
    assertEquals(ErrorClass.ERR_BUFFER, e.errorClass());
    assertTrue(e.getMessage().contains("recv has " + available + " bytes: too small for " + count), e.getMessage());
  }
}
