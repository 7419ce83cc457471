// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Absolute addresses, and buffers whose types are made of them. */
class AddressTest {
  private static MemorySegment automatic(long bytes) {
    return Arena.ofAuto().allocate(bytes, 8);
  }

  @Test
  @DisplayName("S1-2.5.6-a, S1-4.1.5-a, S1-4.8: addresses are longs whose differences are displacements")
  void addresses() {
    MemorySegment a = automatic(100 * 100 * 4);
    long first = Address.of(a);
    assertEquals(3636, Address.diff(Address.of(a.asSlice(909 * 4)), first));
    assertEquals(a.address(), first);
    assertEquals(Address.of(a.asSlice(8)), Address.add(first, 8));
    assertEquals(Long.MIN_VALUE, Address.add(Long.MAX_VALUE, 1));
    assertEquals(-8, Address.diff(first, Address.add(first, 8)));
    assertEquals(0, Address.BOTTOM);
  }

  @Test
  void whatHasNoAddress() {
    assertError(ErrorClass.ERR_BUFFER, () -> Address.of(null), "segment = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Address.of(MemorySegment.ofArray(new int[1])), "heap");
    Arena arena = Arena.ofConfined();
    MemorySegment s = arena.allocate(8);
    assertEquals(s.address(), Address.of(s));
    arena.close();
    assertError(ErrorClass.ERR_BUFFER, () -> Address.of(s), "closed");
  }

  @Test
  @DisplayName("S1-2.5.6-b, S1-4.1.12-b: one element may lie in several pieces of memory")
  void severalStorages() {
    MemorySegment head = automatic(8);
    MemorySegment body = automatic(80);
    head.set(ValueLayout.JAVA_INT, 0, 42);
    for (int i = 0; i < 10; i++) {
      body.setAtIndex(ValueLayout.JAVA_DOUBLE, i, i);
    }
    Datatype<Object> both = Datatype.struct(
        new long[] {1, 10}, new long[] {Address.of(head), Address.of(body)}, Datatype.INT, Datatype.DOUBLE).commit();
    Buf<Object> buf = Buf.bottom(List.of(body, head), 1, both);
    assertEquals(Memory.NATIVE, BufImpl.of(buf).memoryKind());
    assertEquals(0, BufImpl.of(buf).memoryOffset());
    assertTrue(BufImpl.of(buf).isSendable());
    assertTrue(BufImpl.of(buf).isReceivable());
    assertTrue(buf.toString().endsWith("at absolute addresses in 2 storages]"), buf.toString());
    byte[] packed = new byte[84];
    Packer.into(packed).pack(buf);
    int[] number = new int[1];
    double[] numbers = new double[10];
    Unpacker.from(packed).unpack(Buf.of(number)).unpack(Buf.of(numbers));
    assertEquals(42, number[0]);
    assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, numbers);
    head.fill((byte) 0);
    body.fill((byte) 0);
    Unpacker.from(packed).unpack(buf);
    assertEquals(42, head.get(ValueLayout.JAVA_INT, 0));
    assertEquals(9, body.getAtIndex(ValueLayout.JAVA_DOUBLE, 9));
    both.close();
    assertError(ErrorClass.ERR_TYPE, () -> Unpacker.from(packed).unpack(buf), "freed");
  }

  @Test
  @DisplayName("S1-4.18: 1000 structs whose displacements are addresses, sent from the bottom")
  void arrayOfStructs() {
    MemorySegment particles = automatic(64 * 1000);
    long base = Address.of(particles);
    Datatype<Object> type = Datatype.struct(
        new long[] {1, 6, 7}, new long[] {base, base + 8, base + 56},
        Datatype.INT, Datatype.DOUBLE, Datatype.CHAR).commit();
    assertEquals(base, type.lowerBound());
    assertEquals(64, type.extent());
    Buf<Object> all = Buf.bottom(List.of(particles), 1000, type);
    for (int i = 0; i < 1000; i++) {
      particles.set(ValueLayout.JAVA_INT, 64 * i, i);
    }
    byte[] packed = new byte[59_000];
    Packer.into(packed).pack(all);
    int[] last = new int[1];
    Unpacker.from(packed).position(59 * 999).unpack(Buf.of(last));
    assertEquals(999, last[0]);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(particles), 1001, type), "none of the 1 storages");
    assertError(ErrorClass.ERR_BUFFER, () -> all.at(64), "none of the 1 storages");
    assertEquals(64, BufImpl.of(Buf.bottom(List.of(particles), 999, type).at(64)).memoryOffset());
  }

  @Test
  @DisplayName("S1-4.1.12-d: every byte has to lie in a storage")
  void bounds() {
    MemorySegment a = automatic(64);
    MemorySegment b = automatic(64);
    long[] at = {Address.of(a), Address.of(b)};
    Datatype<Integer> outside = Datatype.hindexed(new long[] {16, 17}, at, Datatype.INT).commit();
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(a, b), 1, outside), "none of the 2 storages");
    Datatype<Integer> inside = Datatype.hindexed(new long[] {16, 16}, at, Datatype.INT).commit();
    Buf.bottom(List.of(a, b), 1, inside);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(a), 1, inside), "none of the 1 storages");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(b), 1, inside), "none of the 1 storages");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(), 1, inside), "none of the 0 storages");
    assertEquals(0, Buf.bottom(List.of(), 0, inside).count());
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(a, b), 1, Datatype.INT), "0x0");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(a, b), Long.MAX_VALUE, Datatype.BYTE), "0x0");
    // Neighbours: a run may go on from one storage to the next, and storages may overlap.
    Datatype<Integer> whole = Datatype.hindexed(new long[] {16}, new long[] {at[0]}, Datatype.INT).commit();
    Buf.bottom(List.of(a.asSlice(0, 31), a.asSlice(31, 33)), 1, whole);
    Buf.bottom(List.of(a.asSlice(4, 2), a.asSlice(0, 40), a.asSlice(8, 56)), 1, whole);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(a.asSlice(0, 31), a.asSlice(32, 32)), 1, whole),
        "0x" + Long.toHexString(at[0] + 31));
  }

  @Test
  void storagesOfOtherKinds() {
    MemorySegment good = automatic(8);
    Datatype<Integer> type = Datatype.hindexed(new long[] {1}, new long[] {Address.of(good)}, Datatype.INT).commit();
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(good, confined.allocate(8)), 1, type),
          "storages[1]", "closed");
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(shared.allocate(8)), 1, type), "closed");
    }
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(MemorySegment.ofArray(new int[2])), 1, type), "heap");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(Arrays.asList(good, null), 1, type), "storages[1] = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(null, 1, type), "storages = null");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.bottom(List.of(good), 1, null), "type = null");
    assertError(ErrorClass.ERR_TYPE, () -> Buf.bottom(List.of(good), 1, Datatype.contiguous(1, type)), "commit()");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.bottom(List.of(good), -1, type), "count = -1");
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(good), Long.MAX_VALUE / 4, type));
    Buf<Integer> readOnly = Buf.bottom(List.of(good.asReadOnly()), 1, type);
    assertTrue(BufImpl.of(readOnly).isSendable());
    assertFalse(BufImpl.of(readOnly).isReceivable());
  }
}
