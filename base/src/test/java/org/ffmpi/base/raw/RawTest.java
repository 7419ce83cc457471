// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RawTest {
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment segment = arena.allocate(4096, 64);
  private final long base = Raw.address(segment);

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void plainAccessesMeetTheSegmentAtAnyAlignment() {
    for (int shift = 0; shift < 9; shift++) {
      long a = base + shift;
      Raw.putByte(a, (byte) -5);
      assertEquals(-5, segment.get(ValueLayout.JAVA_BYTE, shift));
      assertEquals(-5, Raw.getByte(a));
      Raw.putShort(a, Short.MIN_VALUE);
      assertEquals(Short.MIN_VALUE, segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, shift));
      assertEquals(Short.MIN_VALUE, Raw.getShort(a));
      Raw.putChar(a, '\uffee');
      assertEquals('\uffee', segment.get(ValueLayout.JAVA_CHAR_UNALIGNED, shift));
      assertEquals('\uffee', Raw.getChar(a));
      Raw.putInt(a, 0x80402010);
      assertEquals(0x80402010, segment.get(ValueLayout.JAVA_INT_UNALIGNED, shift));
      assertEquals(0x80402010, Raw.getInt(a));
      Raw.putLong(a, 0x8040201008040201L);
      assertEquals(0x8040201008040201L, segment.get(ValueLayout.JAVA_LONG_UNALIGNED, shift));
      assertEquals(0x8040201008040201L, Raw.getLong(a));
      Raw.putFloat(a, -0.0f);
      assertEquals(-0.0f, segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, shift));
      assertEquals(-0.0f, Raw.getFloat(a));
      Raw.putDouble(a, Math.PI);
      assertEquals(Math.PI, segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, shift));
      assertEquals(Math.PI, Raw.getDouble(a));
    }
  }

  @Test
  void orderedIntAccesses() {
    Raw.putReleaseInt(base, 1);
    assertEquals(1, Raw.getAcquireInt(base));
    Raw.putOpaqueInt(base, 2);
    assertEquals(2, Raw.getOpaqueInt(base));
    Raw.putVolatileInt(base, 3);
    assertEquals(3, Raw.getVolatileInt(base));
    assertFalse(Raw.compareAndSetInt(base, 2, 9));
    assertTrue(Raw.compareAndSetInt(base, 3, 4));
    assertEquals(4, Raw.getAndAddInt(base, 10));
    assertEquals(14, Raw.getAndSetInt(base, -1));
    assertEquals(-1, Raw.getInt(base));
    assertEquals(0, Raw.getInt(base + 4));
  }

  @Test
  void orderedLongAccesses() {
    Raw.putReleaseLong(base, 1);
    assertEquals(1, Raw.getAcquireLong(base));
    Raw.putOpaqueLong(base, 2);
    assertEquals(2, Raw.getOpaqueLong(base));
    Raw.putVolatileLong(base, 3);
    assertEquals(3, Raw.getVolatileLong(base));
    assertFalse(Raw.compareAndSetLong(base, 2, 9));
    assertTrue(Raw.compareAndSetLong(base, 3, 4));
    assertEquals(4, Raw.getAndAddLong(base, 1L << 40));
    assertEquals(4 + (1L << 40), Raw.getAndBitwiseOrLong(base, 3));
    assertEquals(7 + (1L << 40), Raw.getAndBitwiseAndLong(base, 6));
    assertEquals(6, Raw.getAndSetLong(base, 8));
    assertEquals(8, Raw.getLong(base));
    Raw.fullFence();
  }

  @Test
  void orderedAccessesNeedAlignment() {
    assertThrows(IllegalArgumentException.class, () -> Raw.getAcquireInt(base + 2));
    assertThrows(IllegalArgumentException.class, () -> Raw.putReleaseLong(base + 4, 1));
  }

  @Test
  void copiesEverySizeAlsoWhereRangesOverlap() {
    for (int bytes = 0; bytes <= 200; bytes++) {
      for (int distance : new int[] {-201, -70, -33, -17, -9, -8, -4, -3, -1, 0, 1, 2, 5, 7, 16, 31, 63, 201}) {
        byte[] expected = new byte[1024];
        for (int i = 0; i < expected.length; i++) {
          expected[i] = (byte) (i * 31 + 7);
        }
        MemorySegment.copy(expected, 0, segment, ValueLayout.JAVA_BYTE, 0, expected.length);
        int from = 400;
        System.arraycopy(expected, from, expected, from + distance, bytes);
        Raw.copy(base + from, base + from + distance, bytes);
        assertArrayEquals(
            expected, segment.asSlice(0, 1024).toArray(ValueLayout.JAVA_BYTE), bytes + " bytes by " + distance);
      }
    }
  }

  @Test
  void copiesLargeRangesThatOverlapInEitherDirection() {
    int size = 5 << 19;
    for (int distance : new int[] {-9, 9, -(1 << 20), 1 << 20}) {
      byte[] expected = new byte[5 << 20];
      new Random(distance).nextBytes(expected);
      MemorySegment large = arena.allocate(expected.length);
      MemorySegment.copy(expected, 0, large, ValueLayout.JAVA_BYTE, 0, expected.length);
      int from = 1 << 20;
      System.arraycopy(expected, from, expected, from + distance, size);
      Raw.copy(Raw.address(large) + from, Raw.address(large) + from + distance, size);
      assertArrayEquals(expected, large.toArray(ValueLayout.JAVA_BYTE), "by " + distance);
    }
  }

  @Test
  void copyRefusesNegativeSizes() {
    assertThrows(IllegalArgumentException.class, () -> Raw.copy(base, base + 8, -1));
  }

  @Test
  void fillsExactlyTheRange() {
    for (int bytes : new int[] {0, 1, 7, 64, 65, 1000}) {
      segment.fill((byte) 1);
      Raw.fill(base + 3, bytes, (byte) 9);
      for (int i = 0; i < 1100; i++) {
        assertEquals(i >= 3 && i < 3 + bytes ? 9 : 1, segment.get(ValueLayout.JAVA_BYTE, i), "byte " + i);
      }
    }
  }

  @Test
  void heapSegmentsHaveNoAddress() {
    MemorySegment heap = MemorySegment.ofArray(new int[2]);
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Raw.address(heap));
    assertTrue(e.getMessage().contains("only native segments"), e.getMessage());
  }

  @Test
  void viewsShareTheMemory() {
    MemorySegment view = Raw.view(base + 16, 32);
    assertEquals(32, view.byteSize());
    view.set(ValueLayout.JAVA_INT, 0, 77);
    assertEquals(77, segment.get(ValueLayout.JAVA_INT, 16));
  }

  @Test
  void viewWithArenaIsCleanedUpOnceWhenItEnds() {
    AtomicInteger cleaned = new AtomicInteger();
    MemorySegment view;
    try (Arena shorter = Arena.ofShared()) {
      view = Raw.view(base, 8, shorter, cleaned::incrementAndGet);
      view.set(ValueLayout.JAVA_LONG, 0, 5);
      assertEquals(0, cleaned.get());
    }
    assertEquals(1, cleaned.get());
    assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_LONG, 0));
    assertEquals(5, Raw.getLong(base));
  }
}
