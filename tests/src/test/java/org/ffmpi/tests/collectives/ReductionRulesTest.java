// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Rules of reductions, one by one: in place at some ranks only, results that some ranks do not have, types. */
class ReductionRulesTest {
  private static final long LOW = 0xffff_ffffL;

  /** Linear functions, of a factor and a summand of 32 bits each, one after the other: the order matters. */
  private static final Op<Object> THEN = Op.kernel(false, (in, inout, len, _) -> {
    for (long i = 0; i < len; i++) {
      long a = in.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i);
      long b = inout.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i);
      inout.set(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i, then(a, b));
    }
  });

  private static long then(long a, long b) {
    int factor = (int) (b >> 32);
    return (long) ((int) (a >> 32) * factor) << 32 | ((int) a * factor + (int) b) & LOW;
  }

  private static long value(int rank, int i) {
    return (long) (2 * rank + 3 + i % 5) << 32 | 7 * rank + i % 11;
  }

  private static long[] values(int rank, int length) {
    long[] values = new long[length];
    Arrays.setAll(values, i -> value(rank, i));
    return values;
  }

  /** What the ranks up to one make, without that one. */
  private static long before(int rank, int i) {
    long made = value(0, i);
    for (int k = 1; k < rank; k++) {
      made = then(made, value(k, i));
    }
    return made;
  }

  private static long[] before(int rank, int from, int length) {
    long[] made = new long[length];
    Arrays.setAll(made, i -> before(rank, from + i));
    return made;
  }

  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4, 5})
  void inPlaceAtOddRanks(IntraComm world) {
    for (int round = 0; round < 6; round++) { // before and after there is a region
      for (int bytes : new int[] {64, 64 << 10}) {
        inPlaceAtOddRanks(world, bytes / 8);
      }
    }
  }

  @MpiTest(ranks = 3)
  void inPlaceAtOddRanksOfLongVectors(IntraComm world) {
    for (int round = 0; round < 2; round++) {
      inPlaceAtOddRanks(world, (20 << 20) / 8);
      for (int i = 0; i < 4; i++) {
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 3, processes = true)
  void inProcesses(IntraComm world) {
    for (int round = 0; round < 6; round++) {
      inPlaceAtOddRanks(world, 8);
      inPlaceAtOddRanks(world, 8 << 10);
    }
    theLowerIndexOfEqualValues(world);
    exscanLeavesRankZeroAlone(world);
  }

  private static void inPlaceAtOddRanks(IntraComm world, int length) {
    int n = world.size();
    int r = world.rank();
    boolean here = r % 2 == 1;
    long[] send = values(r, length);
    long[] recv = here ? send.clone() : new long[length];
    Buf<Long> from = here ? Buf.inPlace() : Buf.of(send);
    world.scan(from, Buf.of(recv), THEN);
    assertArrayEquals(before(r + 1, 0, length), recv);

    recv = here ? send.clone() : new long[length];
    Arrays.fill(recv, 0, here ? 0 : length, -1);
    world.exscan(from, Buf.of(recv), THEN);
    long[] untouched = new long[length];
    Arrays.fill(untouched, -1);
    assertArrayEquals(r == 0 ? untouched : before(r, 0, length), recv);

    int each = length / n;
    long[] all = values(r, each * n);
    long[] part = here ? all : new long[each];
    world.reduceScatterBlock(here ? Buf.inPlace() : Buf.of(all), Buf.of(part), THEN);
    assertArrayEquals(before(n, r * each, each), Arrays.copyOf(part, each));
  }

  /** Rank 0 has no result: its buffer stays as it is, also in place. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void exscanLeavesRankZeroAlone(IntraComm world) {
    int r = world.rank();
    for (int call = 0; call < 8; call++) {
      for (int length : new int[] {1, 5_000, 100_000}) {
        int[] one = new int[length];
        Arrays.fill(one, r + 1);
        world.exscan(Buf.of(one), Op.SUM);
        assertEquals(r == 0 ? 1 : r * (r + 1) / 2, one[length - 1]);
        int[] result = new int[length];
        Arrays.fill(result, -5);
        Arrays.fill(one, r + 1);
        world.iexscan(Buf.of(one), r == 0 ? null : Buf.of(result), Op.SUM).await();
        assertEquals(r == 0 ? -5 : r * (r + 1) / 2, result[0]);
        assertEquals(r + 1, one[0]);
        world.exscanInit(Buf.of(one), Buf.of(result), Op.SUM, null).close();
        assertEquals(r == 0 ? -5 : r * (r + 1) / 2, result[length - 1]);
      }
    }
  }

  /** Of equal values, the lower index; that not only where the lower rank has it. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4, 5})
  void theLowerIndexOfEqualValues(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (int call = 0; call < 6; call++) {
      int[] max = {7, 100 - r, r, r, -1, 50 + (r + 1) % n};
      int[] min = max.clone();
      Buf<Object> maxima = Buf.of(MemorySegment.ofArray(max), 3, pairs());
      world.allreduce(maxima, Op.MAXLOC);
      assertArrayEquals(new int[] {7, 101 - n, n - 1, n - 1, -1, 50}, max);
      world.allreduce(Buf.of(MemorySegment.ofArray(min), 3, pairs()), Op.MINLOC);
      assertArrayEquals(new int[] {7, 101 - n, 0, 0, -1, 50}, min);
    }
  }

  @SuppressWarnings("unchecked") // pairs have no type in Java
  private static Datatype<Object> pairs() {
    return (Datatype<Object>) (Datatype<?>) Datatype.TWO_INT;
  }

  /** A value that is no number is not lost, and all ranks have the same. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void sumsWithNaN(IntraComm world) {
    for (int call = 0; call < 6; call++) {
      double[] a = {world.rank() == world.size() - 1 ? Double.NaN : 1, 1};
      world.allreduce(Buf.of(a), Op.SUM);
      assertTrue(Double.isNaN(a[0]));
      assertEquals(world.size(), a[1]);
    }
  }

  @MpiTest(ranks = {1, 2})
  void operationsThatATypeHasNot(IntraComm world) {
    Buf<Double> doubles = Buf.of(new double[2]);
    for (Op<Object> op : List.of(Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.MAXLOC, Op.MINLOC)) {
      assertError(ErrorClass.ERR_OP, () -> world.allreduce(doubles, op), "MPI_DOUBLE");
    }
    Buf<?> chars = Buf.of(new byte[2], 2, Datatype.CHAR);
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(chars, Op.SUM), "MPI_CHAR");
  }

  /** An array has the type whose size it is; C's name for the same type is no other one. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3})
  void typesThatAreTheSameInC(IntraComm world) {
    int n = world.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(8L * n, 8);
      Buf<Integer> ints = Buf.of(segment, n, Datatype.INT);
      int[] ones = new int[n];
      Arrays.fill(ones, 1);
      world.allreduce(Buf.of(ones), ints, Op.SUM);
      assertEquals(n, segment.get(ValueLayout.JAVA_INT, 0));
      int[] back = new int[n];
      world.iallreduce(ints, Buf.of(back), Op.MAX).await();
      assertEquals(n, back[n - 1]);
      world.reduce(Buf.of(ones), ints, Op.SUM, 0);
      world.scan(ints, Buf.of(back), Op.MIN);
      world.reduceScatterBlock(Buf.of(ones), Buf.of(segment, 1, Datatype.INT), Op.SUM);
      assertEquals(n, segment.get(ValueLayout.JAVA_INT, 0));
      Buf<Long> longs = Buf.of(segment, n, Datatype.LONG);
      world.exscan(Buf.of(new long[n]), longs, Op.SUM);
      assertError(ErrorClass.ERR_TYPE,
          () -> world.allreduce(Buf.of(ones), Buf.of(segment, n, Datatype.UNSIGNED), Op.SUM), "type of send");
      assertError(ErrorClass.ERR_TYPE,
          () -> world.allreduce(Buf.of(new long[n]), Buf.of(segment, n, Datatype.LONG_LONG), Op.SUM), "type of send");
    }
  }
}
