// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.ROOT;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.function.Executable;

/** Collectives between two groups: what is particular to them. The random tests make all of them. */
class BetweenGroupsTest {
  /** How many ranks have come to a barrier; the ranks are threads. */
  private final AtomicInteger arrived = new AtomicInteger();

  private final AtomicInteger lateOne = new AtomicInteger();

  private interface Body {
    void run(InterComm inter, IntraComm part, boolean isLow);
  }

  private static void between(IntraComm world, int lows, Body body) {
    boolean isLow = world.rank() < lows;
    try (IntraComm part = world.split(isLow ? 0 : 1, world.rank());
        InterComm inter = part.intercomm(0, world, isLow ? lows : 0, 1)) {
      body.run(inter, part, isLow);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void nobodyLeavesABarrierBeforeAllHaveCome(IntraComm world) {
    between(world, 1, (inter, _, _) -> {
      for (int round = 1; round <= 50; round++) {
        arrived.incrementAndGet();
        if (round % 2 == 0) {
          inter.barrier();
        } else {
          inter.ibarrier().await();
        }
        int seen = arrived.get();
        assertEquals(true, seen >= round * world.size(), "round " + round + ", seen " + seen);
        world.barrier();
      }
    });
  }

  /** Each rank in turn comes late: none of the other group leaves before it has come. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void nobodyLeavesABarrierBeforeALateRankHasCome(IntraComm world) {
    between(world, 1, (inter, _, _) -> {
      for (int late = 0; late < world.size(); late++) {
        for (int round = 0; round < 3; round++) {
          if (world.rank() == late) {
            pause();
            lateOne.set(world.size() * round + late + 1);
          }
          inter.barrier();
          assertEquals(world.size() * round + late + 1, lateOne.get());
          world.barrier();
        }
      }
    });
  }

  private static void pause() {
    try {
      Thread.sleep(2);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Parts of different lengths, some of them empty, by an operation whose operands stay in the order of ranks. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4, 5})
  void partsOfProducts(IntraComm world) {
    int lows = Math.max(1, world.size() / 3);
    between(world, lows, (inter, _, isLow) -> {
      int others = inter.remoteSize();
      int total = 6;
      long[] counts = new long[inter.size()]; // the first has all but one, the last that one, the others nothing
      counts[0] = total;
      counts[0]--;
      counts[inter.size() - 1]++;
      long[] mine = new long[4 * total];
      for (int i = 0; i < mine.length; i++) {
        mine[i] = world.rank() + 2 + i % 5;
      }
      int from = inter.rank() == 0 ? 0 : total - 1;
      int part = (int) counts[inter.rank()];
      for (int call = 0; call < 3; call++) {
        long[] result = new long[4 * part];
        Buf<Object> send = Buf.of(MemorySegment.ofArray(mine), total, Matrices.CLOSE.type);
        Buf<Object> recv = Buf.of(MemorySegment.ofArray(result), part, Matrices.CLOSE.type);
        if (call == 0) {
          inter.reduceScatter(send, recv, counts, Matrices.PRODUCT);
        } else {
          inter.ireduceScatter(send, recv, counts, Matrices.PRODUCT).await();
        }
        for (int m = 0; m < part; m++) {
          long[] expected = null;
          for (int r = 0; r < others; r++) {
            int rank = isLow ? lows + r : r;
            long[] matrix = new long[4];
            for (int k = 0; k < 4; k++) {
              matrix[k] = rank + 2 + (4 * (from + m) + k) % 5;
            }
            expected = expected == null ? matrix : Matrices.times(expected, matrix);
          }
          assertArrayEquals(expected, Arrays.copyOfRange(result, 4 * m, 4 * m + 4));
        }
      }
    });
  }

  @MpiTest(ranks = {3, 4, 8})
  void otherRanksOfTheRootsGroupHaveNoPart(IntraComm world) {
    between(world, 2, (inter, _, isLow) -> {
      // The root is the low group's rank 1; its rank 0 gives nothing at all.
      int root = !isLow ? 1 : inter.rank() == 1 ? ROOT : PROC_NULL;
      int highs = world.size() - 2;
      int[] mine = {10 + inter.rank()};
      int[] all = new int[highs];
      boolean isRoot = root == ROOT;
      Buf<Integer> whole = isRoot ? Buf.of(all) : null;
      Buf<Integer> one = isLow ? null : Buf.of(mine);
      inter.gather(one, whole, root);
      for (int i = 0; i < highs; i++) {
        assertEquals(isRoot ? 10 + i : 0, all[i]);
      }
      for (int i = 0; i < highs; i++) {
        all[i] *= 2;
      }
      inter.scatter(whole, one, root);
      assertEquals(isLow ? 10 + inter.rank() : 20 + 2 * inter.rank(), mine[0]);
      inter.bcast(isRoot ? Buf.of(new int[] {77}) : one, root);
      assertEquals(isLow ? 10 + inter.rank() : 77, mine[0]);
      int[] sum = new int[1];
      inter.reduce(one, isRoot ? Buf.of(sum) : null, Op.SUM, root);
      assertEquals(isRoot ? 77 * highs : 0, sum[0]);
    });
  }

  @MpiTest(ranks = {2, 3, 8})
  void eachGroupGetsWhatTheOtherCombined(IntraComm world) {
    between(world, 1, (inter, _, isLow) -> {
      int[] result = new int[1];
      try (Persistent request = inter.allreduceInit(Buf.of(new int[] {isLow ? 1_000 : 1}), Buf.of(result), Op.SUM,
          null)) {
        for (int round = 0; round < 3; round++) {
          result[0] = -1;
          request.start();
          request.await();
          assertEquals(isLow ? world.size() - 1 : 1_000, result[0]);
        }
      }
    });
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S2-3: a collective on a communicator does not meet one on its groups' own")
  void ownGroupsAndBoth(IntraComm world) {
    between(world, world.size() / 2, (inter, part, isLow) -> {
      int[] own = new int[part.size()];
      int[] other = new int[inter.remoteSize()];
      var first = inter.iallgather(Buf.of(new int[] {world.rank()}), Buf.of(other));
      part.allgather(Buf.of(new int[] {100 + world.rank()}), Buf.of(own));
      first.await();
      int half = world.size() / 2;
      for (int i = 0; i < half; i++) {
        assertEquals((isLow ? half : 0) + i, other[i]);
        assertEquals(100 + (isLow ? 0 : half) + i, own[i]);
      }
    });
  }

  @MpiTest(ranks = {2, 3})
  void whatIsNotDefined(IntraComm world) {
    between(world, 1, (inter, _, _) -> {
      int[] a = new int[6];
      int[] b = new int[6];
      bad(ErrorClass.ERR_COMM, () -> inter.scan(Buf.of(a), Buf.of(b), Op.SUM),
          () -> inter.iexscan(Buf.of(a), Buf.of(b), Op.SUM), () -> inter.scanInit(Buf.of(a), Op.SUM, null));
      bad(ErrorClass.ERR_BUFFER, () -> inter.allreduce(Buf.of(a), Op.SUM), () -> inter.alltoall(Buf.of(a)),
          () -> inter.iallgather(Buf.inPlace(), Buf.of(a)),
          () -> inter.reduceScatterBlockInit(Buf.of(a), Op.SUM, null));
      bad(ErrorClass.ERR_ROOT, () -> inter.bcast(Buf.of(a), inter.remoteSize()),
          () -> inter.ireduce(Buf.of(a), Buf.of(b), Op.SUM, -77), () -> inter.gatherInit(Buf.of(a), null, -5, null));
      inter.barrier();
      assertArrayEquals(new int[6], b);
    });
  }

  private static void bad(ErrorClass expected, Executable... calls) {
    for (Executable call : calls) {
      assertError(expected, call);
    }
  }
}
