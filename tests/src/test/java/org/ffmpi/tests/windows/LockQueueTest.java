// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.testkit.MpiTest;

/** Locks held so long that waiting ranks fall asleep: all acquire them, and exclusive holders are alone. */
@EveryWindowPath
class LockQueueTest {
  private static final int ROUNDS = 60;

  @MpiTest(ranks = {2, 5}, timeout = 60)
  void readersAndWritersAllGetIn(IntraComm world) {
    long[] seeds = {System.nanoTime()};
    world.bcast(Buf.of(seeds), 0);
    Random random = new Random(seeds[0] + world.rank());
    long[] pair = new long[2];
    long writes = 0;
    try (Win win = world.winAllocate(2 * Long.BYTES, Long.BYTES)) {
      for (int i = 0; i < ROUNDS; i++) {
        boolean exclusive = random.nextInt(3) == 0;
        try (Epoch _ = win.lock(exclusive ? LockType.EXCLUSIVE : LockType.SHARED, 0)) {
          win.get(Buf.of(pair), 0, 0);
          win.flush(0);
          assertEquals(pair[0], pair[1], "seed " + seeds[0] + ", round " + i);
          if (exclusive) {
            put(win, pair[0] + 1, 0);
            LockSupport.parkNanos(random.nextInt(2_000_000));
            put(win, pair[0] + 1, 1);
            writes++;
          } else {
            LockSupport.parkNanos(random.nextInt(500_000));
          }
        }
      }
      long[] sum = new long[1];
      world.allreduce(Buf.of(new long[] {writes}), Buf.of(sum), Op.SUM);
      try (Epoch _ = win.lock(LockType.SHARED, 0)) {
        win.get(Buf.of(pair), 0, 0);
      }
      assertEquals(sum[0], pair[0], "seed " + seeds[0]);
    }
  }

  private static void put(Win win, long value, long displacement) {
    win.put(Buf.of(new long[] {value}), 0, displacement);
    win.flush(0);
  }
}
