// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.windows.WindowKind.Longs;

/** Windows of several nodes: loads and stores within a node, messages between nodes, and both to the same elements. */
@MpiVariant(name = "nodes of 2 and 2", settings = "ffmpi.node=2")
@MpiVariant(name = "nodes of 3 and 1", settings = "ffmpi.node=3,1")
@MpiVariant(name = "nodes of 3 and 1, progress thread", settings = {"ffmpi.node=3,1", "ffmpi.progress=thread"})
class NodesWindowTest {
  private static final int CALLS = 300;
  private static final int LONG = 5000;
  private static final int STRIDE = 3;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  /** All ranks combine with the same elements of one part, with calls of every shape. */
  @MpiTest(ranks = 4)
  void combiningIsAtomicForRanksHereAndElsewhere(Mpi mpi, IntraComm world) {
    for (WindowKind kind : new WindowKind[] {WindowKind.ALLOCATED, WindowKind.OVER_SHARED_HEAP, WindowKind.MIXED}) {
      for (int target : new int[] {0, world.size() - 1}) {
        try (Longs longs = kind.make(mpi, world, LONG);
            Datatype<?> strided = Datatype.vector(LONG / STRIDE, 1, STRIDE, Datatype.INT64_T).commit()) {
          combine(world, longs.win, target, strided);
          if (world.rank() == target) {
            check(longs, world.size(), kind + ", target " + target);
          }
        }
      }
    }
  }

  private static void combine(IntraComm world, Win win, int target, Datatype<?> strided) {
    long[] ones = new long[LONG];
    Arrays.fill(ones, 1);
    Buf<?> sparse = Buf.of(new long[] {1}, 1, Datatype.INT64_T);
    long[] fetched = new long[CALLS];
    long[] swapped = new long[1];
    win.fence();
    for (int i = 0; i < CALLS; i++) {
      fetched[i] = win.fetchAndAdd(1, target, 0);
      win.accumulate(sparse, target, 0, Op.SUM);
      if (i % 10 == 0) {
        win.accumulate(Buf.of(ones), target, 0, Op.SUM);
        win.accumulate(Buf.of(ones, 0, LONG / STRIDE), target, 0, 1, strided, Op.SUM);
      }
    }
    win.fence();
    // Only compare-and-swap changes the last element.
    try (Epoch _ = win.lockAll()) {
      for (int i = 0; i < CALLS / 10; i++) {
        long seen = Long.MIN_VALUE;
        swapped[0] = -1;
        while (swapped[0] != seen) {
          seen = swapped[0];
          win.compareAndSwap(
              Buf.of(new long[] {seen - 1}), Buf.of(new long[] {seen}), Buf.of(swapped), target, LONG - 1);
          win.flush(target);
        }
      }
    }
    long[] all = new long[CALLS * world.size()];
    world.allgather(Buf.of(fetched), Buf.of(all));
    assertEquals(all.length, LongStream.of(all).distinct().count(), "a value was fetched twice");
    assertTrue(LongStream.of(fetched).allMatch(value -> value >= 0));
  }

  private static void check(Longs longs, int ranks, String name) {
    long vectors = (CALLS + 9) / 10 * (long) ranks;
    for (int i = 0; i < LONG; i++) {
      long expected = vectors + (i % STRIDE == 0 && i / STRIDE < LONG / STRIDE ? vectors : 0)
          + (i == 0 ? 2L * CALLS * ranks : 0) - (i == LONG - 1 ? CALLS / 10L * ranks : 0);
      assertEquals(expected, longs.get(i), name + ", element " + i);
    }
  }

  /** The target waits outside MPI for a store of the origin. */
  @MpiTest(ranks = 4)
  void aRankOfTheSameNodeNeedsNothingOfTheTarget(IntraComm world) {
    try (Win win = world.winAllocate(8, 8)) {
      MemorySegment mine = win.segment();
      world.barrier();
      if (world.rank() == 0) {
        while ((long) WORD.getAcquire(mine, 0L) != 42) {
          Thread.onSpinWait();
        }
      } else if (world.rank() == 1) {
        try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
          win.put(Buf.of(new long[] {41}), 0, 0);
          win.flush(0);
          assertEquals(41, win.fetchAndAdd(1, 0, 0));
        }
      }
      world.barrier();
    }
  }
}
