// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.WideNumbers;
import org.junit.jupiter.api.DisplayName;

/** The predefined operations over several ranks. */
@EveryTransport
class PredefinedOpsTest {
  private static int[] reduced(Comm world, Op<Object> op, int... mine) {
    int[] everywhere = mine.clone();
    world.allreduce(Buf.of(everywhere), op);
    int[] atRoot = new int[mine.length];
    world.reduce(Buf.of(mine), Buf.of(atRoot), op, 0);
    if (world.rank() == 0) {
      assertArrayEquals(everywhere, atRoot, op.name());
    }
    return everywhere;
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S1-5.9.2-a S1-5.9.2-f: the twelve operations; of equal values the lower index")
  void theTwelve(Comm world) {
    int n = world.size();
    int r = world.rank();
    assertArrayEquals(new int[] {n - 1, 0}, reduced(world, Op.MAX, r, -r));
    assertArrayEquals(new int[] {0, 1 - n}, reduced(world, Op.MIN, r, -r));
    assertArrayEquals(new int[] {n * (n - 1) / 2, n}, reduced(world, Op.SUM, r, 1));
    assertArrayEquals(new int[] {1 << n, 0}, reduced(world, Op.PROD, 2, r));
    assertArrayEquals(new int[] {0, 1}, reduced(world, Op.LAND, r, r + 5));
    assertArrayEquals(new int[] {1, 0}, reduced(world, Op.LOR, r, 0));
    assertArrayEquals(new int[] {n % 2, n / 2 % 2}, reduced(world, Op.LXOR, 4, r % 2 * 6));
    assertArrayEquals(new int[] {12, -1 << n}, reduced(world, Op.BAND, 12 | (r == 0 ? 0 : 16), ~(1 << r)));
    assertArrayEquals(new int[] {(1 << n) - 1}, reduced(world, Op.BOR, 1 << r));
    assertArrayEquals(new int[] {(1 << n) - 1, n % 2}, reduced(world, Op.BXOR, 1 << r, 1));
    int[] pairs = {5, r + 1, r, r, -r, 9 - r};
    int[] best = pairs.clone();
    world.allreduce(Buf.of(best, 3, Datatype.TWO_INT), Op.MAXLOC);
    assertArrayEquals(new int[] {5, 1, n - 1, n - 1, 0, 9}, best);
    best = pairs.clone();
    world.allreduce(Buf.of(best, 3, Datatype.TWO_INT), Op.MINLOC);
    assertArrayEquals(new int[] {5, 1, 0, 0, 1 - n, 10 - n}, best);
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S1-5.9.2-d S1-5.9.2-f: C's long double and quadruple precision keep bits that a double has no room for")
  void longDoubles(Mpi mpi) {
    IntraComm world = mpi.world();
    int n = world.size();
    int r = world.rank();
    long big = 1L << 59; // eight of them and a small number fit in 64 bits, not in 53
    long smaller = n * (n - 1L) / 2;
    checkWide(mpi, Datatype.LONG_DOUBLE, Op.SUM, WideNumbers::putLongDouble, big + r, n * big + smaller);
    checkWide(mpi, Datatype.LONG_DOUBLE, Op.MAX, WideNumbers::putLongDouble, big + r, big + n - 1);
    checkWide(mpi, Datatype.LONG_DOUBLE, Op.MIN, WideNumbers::putLongDouble, -big - r, -big - n + 1);
    checkWide(mpi, Datatype.LONG_DOUBLE, Op.PROD, WideNumbers::putLongDouble, r == 0 ? big + 1 : -1,
        n % 2 == 0 ? -big - 1 : big + 1);
    checkWide(mpi, Datatype.REAL16, Op.SUM, WideNumbers::putQuadruple, big + r, n * big + smaller);
    MemorySegment pair = MemorySegment.ofArray(new byte[32]);
    WideNumbers.putLongDouble(pair, 0, big + r / 2); // two ranks or one have the largest
    pair.set(ValueLayout.JAVA_INT_UNALIGNED, 16, r);
    pair.set(ValueLayout.JAVA_INT_UNALIGNED, 20, 7);
    world.allreduce(Buf.of(pair, 1, Datatype.LONG_DOUBLE_INT), Op.MAXLOC);
    MemorySegment expected = MemorySegment.ofArray(new byte[32]);
    WideNumbers.putLongDouble(expected, 0, big + (n - 1) / 2);
    expected.set(ValueLayout.JAVA_INT_UNALIGNED, 16, (n - 1) / 2 * 2);
    expected.set(ValueLayout.JAVA_INT_UNALIGNED, 20, 7);
    assertEquals(-1, expected.mismatch(pair), "pair with its gap");
  }

  private interface Put {
    void number(MemorySegment memory, long at, long value);
  }

  private static void checkWide(
      Mpi mpi, Datatype<Object> type, Op<Object> op, Put put, long own, long result) {
    for (MemorySegment mine : List.of(
        MemorySegment.ofArray(new byte[48]), Arena.ofAuto().allocate(48, 16), mpi.shared().allocate(48, 16))) {
      MemorySegment expected = MemorySegment.ofArray(new byte[48]);
      for (int i = 0; i < 3; i++) {
        put.number(mine, 16L * i, own);
        put.number(expected, 16L * i, result);
      }
      mpi.world().allreduce(Buf.of(mine, 3, type), op);
      assertEquals(-1, expected.mismatch(mine), () -> op.name() + " of " + type + " in " + mine);
    }
  }

  @MpiTest(ranks = 4)
  @DisplayName("S1-5.9.2-e: what the standard does not define for a type is refused before anything is sent")
  void invalidPairs(IntraComm world) {
    for (Op<Object> op : List.of(Op.BAND, Op.LOR, Op.MAXLOC)) {
      assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new double[1]), op), op.name(), "MPI_DOUBLE");
      assertError(ErrorClass.ERR_OP, () -> world.ireduce(Buf.of(new double[1]), op, 0), op.name());
    }
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new byte[1], 1, Datatype.CHAR), Op.MAX), "MPI_CHAR");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new int[2], 1, Datatype.TWO_INT), Op.SUM), "2INT");
    world.barrier();
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S1-5.9.2-h: all ranks get the same bits of a floating-point sum, and the same ones again")
  void sameBits(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      RandomGenerator own = Seeds.random(seed[0] + world.rank());
      for (int count : new int[] {1, 7, 1_000, 3_000, 200_000}) {
        double[] mine = own.doubles(count, -1, 1).map(x -> x * Math.exp(own.nextInt(40))).toArray();
        long[] first = null;
        for (int again = 0; again < 3; again++) {
          LockSupport.parkNanos(own.nextInt(200_000));
          double[] sum = new double[count];
          world.allreduce(Buf.of(mine), Buf.of(sum), Op.SUM);
          long[] bits = MemorySegment.ofArray(sum).toArray(ValueLayout.JAVA_LONG);
          long[] ofRoot = bits.clone();
          world.bcast(Buf.of(ofRoot), 0);
          assertArrayEquals(ofRoot, bits, "at rank " + world.rank());
          if (first != null) {
            assertArrayEquals(first, bits, "again");
          }
          first = bits;
        }
      }
    });
  }
}
