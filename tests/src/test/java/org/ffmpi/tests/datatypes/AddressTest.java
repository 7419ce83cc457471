// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Absolute addresses and types whose displacements they are. */
class AddressTest {
  @Test
  @DisplayName("S1-4.8 S1-4.1.5-a: A(10,10) lies 909 reals after A(1,1)")
  void differenceOfAddresses() {
    MemorySegment a = Arena.ofAuto().allocate(100 * 100 * 4, 4);
    long first = Address.of(a);
    long tenth = Address.of(a.asSlice((9 * 100 + 9) * 4));
    assertEquals(3_636, Address.diff(tenth, first));
    assertEquals(909 * Datatype.REAL.size(), Address.diff(tenth, first));
    assertEquals(tenth, Address.add(first, 3_636));
    assertEquals(tenth, Address.of(a) + 3_636);
  }

  @Test
  @DisplayName("S1-2.5.6-a S1-2.5.6-b S1-4.1.12-c: addresses are longs that count from 0; heap arrays have none")
  void addressesAreLongs() {
    assertEquals(0, Address.BOTTOM);
    assertEquals(8, Datatype.AINT.size());
    assertEquals(0x7000_0000_1234L, Address.of(MemorySegment.ofAddress(0x7000_0000_1234L)));
    assertError(ErrorClass.ERR_BUFFER, () -> Address.of(MemorySegment.ofArray(new int[1])));
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(heap), 1, Datatype.INT));
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.12-a S1-4.1.12-b S1-2.5.6-b: one message spans two segments on both sides")
  void twoStorages(Mpi mpi) {
    for (int doubles : new int[] {1, 500, 20_000}) {
      Exchange.fromAddresses(mpi, 8L * doubles, AddressTest::fill, 1, (body, unused, passing) -> {
        MemorySegment head = Arena.ofAuto().allocate(JAVA_INT);
        head.set(JAVA_INT, 0, doubles);
        MemorySegment headIn = Arena.ofAuto().allocate(JAVA_INT);
        MemorySegment bodyIn = mpi.shared().allocate(8L * doubles, 8);
        passing.pass(
            Buf.bottom(List.of(head, body), 1, both(head, body, doubles)),
            Buf.bottom(List.of(headIn, bodyIn), 1, both(headIn, bodyIn, doubles)));
        assertEquals(doubles, headIn.get(JAVA_INT, 0));
        assertEquals(-1, body.mismatch(bodyIn));
      });
    }
  }

  private static void fill(MemorySegment doubles) {
    for (long i = 0; i < doubles.byteSize() / 8; i++) {
      doubles.setAtIndex(JAVA_DOUBLE, i, 0.5 + i);
    }
  }

  private static Datatype<?> both(MemorySegment head, MemorySegment body, int doubles) {
    return Datatype.struct(
        new long[] {1, doubles}, new long[] {Address.of(head), Address.of(body)},
        new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE}).commit();
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-4.1.12-a: displacements reach any part of the storage that the buffer lies in")
  void insideOneStorage(Mpi mpi) {
    Datatype<Float> before = Datatype.hindexed(new long[] {2, 1}, new long[] {-40, 12}, Datatype.FLOAT).commit();
    Exchange.everywhere(mpi, 400, MatrixExamplesTest::count, 12, (source, target, passing) -> {
      Datatype<Float> inside = Datatype.hindexed(new long[] {1}, new long[] {200}, before).commit();
      passing.pass(Buf.of(source, 1, inside), Buf.of(target, 3, Datatype.FLOAT));
      assertEquals(40, target.get(JAVA_FLOAT_UNALIGNED, 0));
      assertEquals(41, target.get(JAVA_FLOAT_UNALIGNED, 4));
      assertEquals(53, target.get(JAVA_FLOAT_UNALIGNED, 8));
    });
  }

  @Test
  @DisplayName("S1-4.1.12-d: displacements that leave the memory are an error, not a crash")
  void outsideTheMemory() {
    MemorySegment native40 = Arena.ofAuto().allocate(40, 8);
    long[] one = {1};
    for (long displacement : new long[] {-1, 37, 1L << 40, Long.MAX_VALUE - 8, -(1L << 62)}) {
      Datatype<Integer> type = Datatype.hindexed(one, new long[] {displacement}, Datatype.INT).commit();
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(native40, 1, type), "40 bytes");
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(new int[10], 1, type), "40 bytes");
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(native40), 1, type));
    }
    long address = Address.of(native40);
    Datatype<Byte> neighbour = Datatype.hindexed(one, new long[] {address + 40}, Datatype.BYTE).commit();
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.bottom(List.of(native40), 1, neighbour));
    Datatype<Byte> last = Datatype.hindexed(one, new long[] {address + 39}, Datatype.BYTE).commit();
    assertEquals(1, Buf.bottom(List.of(native40), 1, last).count());
  }
}
