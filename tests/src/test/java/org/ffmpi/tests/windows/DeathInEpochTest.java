// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.tests.support.KilledRank;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a rank dies inside an epoch, the others fail and do not wait. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeathInEpochTest {
  /** The epoch that the dead rank has begun, and the calls of the others that depend on it. */
  enum Epoch {
    /** It holds a lock for which they wait. */
    LOCK {
      @Override
      void begin(IntraComm world, Win win) {
        win.lock(LockType.EXCLUSIVE, 0);
      }

      @Override
      void follow(IntraComm world, Win win) {
        win.lock(LockType.SHARED, 0);
      }
    },
    /** It does not call the next fence. */
    FENCE {
      @Override
      void begin(IntraComm world, Win win) {
        win.fence();
      }

      @Override
      void follow(IntraComm world, Win win) {
        win.fence();
        win.fence();
      }
    },
    /** It has called start, and does not call complete. */
    START {
      @Override
      void begin(IntraComm world, Win win) {
        win.start(world.group().incl(0));
      }

      @Override
      void follow(IntraComm world, Win win) {
        if (world.rank() == 0) {
          win.post(world.group().incl(1));
          win.await();
        } else {
          win.start(world.group().incl(1));
        }
      }
    };

    abstract void begin(IntraComm world, Win win);

    abstract void follow(IntraComm world, Win win);
  }

  @ParameterizedTest
  @EnumSource(Epoch.class)
  void othersFail(Epoch epoch) {
    for (String path : List.of("auto", "message")) {
      Queue<MpiException> seen = new ConcurrentLinkedQueue<>();
      assertThrows(IllegalStateException.class, () -> Mpi.runThreads(
          3, Map.of("ffmpi.errors", "return", "ffmpi.window", path), mpi -> {
            IntraComm world = mpi.world();
            Win win = world.winAllocate(64, 8);
            if (world.rank() == 1) {
              epoch.begin(world, win);
              world.send(new int[0], 0, 1);
              world.send(new int[0], 2, 1);
              throw new IllegalStateException("inside the epoch");
            }
            if (epoch == Epoch.LOCK) {
              world.recv(new int[0], 1, 1);
            }
            seen.add(assertThrows(MpiException.class, () -> epoch.follow(world, win)));
          }));
      assertEquals(2, seen.size(), path);
      seen.forEach(error -> assertEquals(ErrorClass.ERR_PROC_ABORTED, error.errorClass(), error.toString()));
    }
  }

  /** All ranks count in a word of rank 0, with and without a lock, until rank 1 is killed. */
  static final class Count {
    private Count() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        Win win = world.winAllocate(64, 8);
        long[] one = {1};
        for (long round = 0; ; round++) {
          win.lock(LockType.EXCLUSIVE, 0);
          win.accumulate(Buf.of(one), 0, 0, Op.SUM);
          win.unlock(0);
          if (round == 200 && world.rank() == 1) {
            System.out.println("ready");
          }
        }
      });
    }
  }

  @Test
  void aKilledRankEndsTheJob() throws Exception {
    KilledRank.endsTheJob(Count.class, 0);
  }
}
