// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.testkit.MpiTest;

/** Epochs of lockAll need nothing of targets that they do not access, and exclude writers of those that they do. */
@EveryWindowPath
class LockAllTest {
  private static final int RANKS = 4;
  private static final int ROUNDS = 100;

  private static final AtomicInteger ENDED = new AtomicInteger();

  /** The last rank is outside MPI until the epochs of the others have ended. */
  @MpiTest(ranks = RANKS)
  void aTargetThatIsNotAccessedNeedNotAnswer(IntraComm world) {
    if (world.rank() == 0) {
      ENDED.set(0);
    }
    try (Win win = world.winAllocate(8L * RANKS, 8)) {
      world.barrier();
      if (world.rank() == RANKS - 1) {
        while (ENDED.get() < RANKS - 1) {
          Thread.onSpinWait();
        }
      } else {
        int next = (world.rank() + 1) % (RANKS - 1);
        try (Epoch _ = win.lockAll()) {
          win.put(Buf.of(new long[] {world.rank() + 1}), next, world.rank());
          win.flush(RANKS - 1);
          win.flushAll();
        }
        Request sent = world.isend(new int[0], next, 1);
        world.recv(new int[0], (next + 1) % (RANKS - 1), 1);
        sent.await();
        ENDED.getAndIncrement();
      }
      world.barrier();
      long[] mine = new long[RANKS];
      try (Epoch _ = win.lock(LockType.SHARED, world.rank())) {
        win.get(Buf.of(mine), world.rank(), 0);
      }
      int previous = (world.rank() + RANKS - 2) % (RANKS - 1);
      assertEquals(world.rank() == RANKS - 1 ? 0 : previous + 1, mine[previous]);
    }
  }

  /** The two words of a part are equal whenever a reader sees them. */
  @MpiTest(ranks = RANKS)
  void readersOfAllExcludeWriters(IntraComm world) {
    long[] pair = new long[2];
    try (Win win = world.winAllocate(16, 8)) {
      for (int i = 1; i <= ROUNDS; i++) {
        int target = (world.rank() + i) % RANKS;
        if ((world.rank() + i) % 3 == 0) {
          try (Epoch _ = win.lock(LockType.EXCLUSIVE, target)) {
            win.put(Buf.of(new long[] {i}), target, 0);
            win.flush(target);
            win.put(Buf.of(new long[] {i}), target, 1);
          }
        } else {
          try (Epoch _ = win.lockAll()) {
            win.get(Buf.of(pair), target, 0);
            win.flush(target);
            assertEquals(pair[0], pair[1]);
          }
        }
      }
    }
  }
}
