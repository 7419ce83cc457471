// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.tests.windows.WindowKind.Longs;
import org.ffmpi.testkit.MpiTest;

/** Each access in each kind of window, with each synchronization. */
@EveryWindowPath
class BasicAccessTest {
  private static final int N = 5000;

  private static long[] numbers(int count, long first) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = first + i;
    }
    return numbers;
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void fencesSeparatePutsFromGets(Mpi mpi, IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, N)) {
        longs.win.fence();
        for (int count : new int[] {1, 7, 600, N}) {
          longs.win.put(Buf.of(numbers(count, 1000L * world.rank())), next, longs.at(next, N - count));
          longs.win.fence();
          for (int i = 0; i < count; i++) {
            assertEquals(1000L * previous + i, longs.get(N - count + i), kind + ", " + count);
          }
          long[] got = new long[count];
          longs.win.get(Buf.of(got), next, longs.at(next, N - count));
          longs.win.fence();
          assertArrayEquals(numbers(count, 1000L * world.rank()), got, kind.toString());
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void accumulatesAddUp(Mpi mpi, IntraComm world) {
    int size = world.size();
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, N)) {
        longs.win.fence();
        for (int target = 0; target < size; target++) {
          longs.win.accumulate(Buf.of(numbers(N, world.rank())), target, longs.at(target, 0), Op.SUM);
        }
        longs.win.fence();
        for (int i = 0; i < N; i++) {
          assertEquals((long) size * (size - 1) / 2 + (long) size * i, longs.get(i), kind + " at " + i);
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  void everyTicketIsGivenOnce(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 2)) {
        int rounds = 200;
        long sum = 0;
        try (Epoch _ = longs.win.lockAll()) {
          long[] one = {1};
          long[] was = {0};
          for (int i = 0; i < rounds; i++) {
            longs.win.fetchAndOp(Buf.of(one), Buf.of(was), 0, longs.at(0, 0), Op.SUM);
            longs.win.flush(0);
            sum += was[0];
            sum += longs.win.fetchAndAdd(1, 0, longs.at(0, 0));
          }
        }
        long[] all = {sum};
        world.allreduce(Buf.of(all), Op.SUM);
        long total = 2L * rounds * world.size();
        assertEquals(total * (total - 1) / 2, all[0], kind.toString());
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  void exclusiveLocksExclude(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 1)) {
        int rounds = 100;
        for (int i = 0; i < rounds; i++) {
          try (Epoch _ = longs.win.lock(LockType.EXCLUSIVE, 0)) {
            long[] value = new long[1];
            longs.win.get(Buf.of(value), 0, longs.at(0, 0));
            longs.win.flush(0);
            value[0]++;
            longs.win.put(Buf.of(value), 0, longs.at(0, 0));
          }
        }
        world.barrier();
        try (Epoch _ = longs.win.lock(LockType.SHARED, 0)) {
          long[] value = new long[1];
          Request got = longs.win.rget(Buf.of(value), 0, longs.at(0, 0));
          got.await();
          assertEquals((long) rounds * world.size(), value[0], kind.toString());
        }
      }
    }
  }

  @MpiTest(ranks = {2, 4})
  void postedPartsAreWritten(Mpi mpi, IntraComm world) {
    int rank = world.rank();
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 8)) {
        int buddy = rank ^ 1;
        Group other = world.group().incl(buddy);
        for (int round = 0; round < 50; round++) {
          longs.win.post(other);
          longs.win.start(other);
          longs.win.put(Buf.of(new long[] {round * 10L + rank}), buddy, longs.at(buddy, 3));
          longs.win.complete();
          longs.win.await();
          assertEquals(round * 10L + buddy, longs.get(3), kind.toString());
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void oneSwapWins(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 1)) {
        long[] was = {-1};
        longs.win.fence();
        longs.win.compareAndSwap(Buf.of(new long[] {world.rank() + 1}), Buf.of(new long[1]), Buf.of(was), 0,
            longs.at(0, 0));
        longs.win.fence();
        long[] winners = {was[0] == 0 ? 1 : 0};
        world.allreduce(Buf.of(winners), Op.SUM);
        assertEquals(1, winners[0], kind.toString());
      }
    }
  }
}
