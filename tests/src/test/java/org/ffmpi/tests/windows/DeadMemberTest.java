// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.tests.survive.Survivable.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.tests.survive.Survivable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits of the survivors in a window of which a rank dies inside an epoch, in a job that outlives it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadMemberTest {
  private static final int RANKS = 3;
  private static final int DEAD = 1;
  private static final long QUEUED_MILLIS = 100;

  /** The epoch in which rank 1 dies, and the wait of the others. */
  enum Wait {
    LOCK_BEHIND_WRITER {
      @Override
      void begin(IntraComm world, Win win) {
        win.lock(LockType.EXCLUSIVE, 0);
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.lock(LockType.SHARED, 0));
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.lock(LockType.EXCLUSIVE, 0));
      }
    },
    LOCK_BEHIND_READER {
      @Override
      void begin(IntraComm world, Win win) {
        win.lock(LockType.SHARED, 0);
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.lock(LockType.EXCLUSIVE, 0));
      }
    },
    LOCK_ALL_BEHIND_WRITER {
      @Override
      void begin(IntraComm world, Win win) {
        win.lock(LockType.EXCLUSIVE, 0);
        win.lock(LockType.EXCLUSIVE, 2);
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, win::lockAll);
      }
    },
    LOCK_BEHIND_LOCK_ALL {
      @Override
      void begin(IntraComm world, Win win) {
        win.lockAll();
        win.put(Buf.of(new long[1]), 0, 0);
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.lock(LockType.EXCLUSIVE, 0));
      }
    },
    LOCK_BEHIND_QUEUED {
      @Override
      void prepare(IntraComm world, Win win) {
        if (world.rank() == 2) {
          win.lock(LockType.EXCLUSIVE, 0);
          world.send(new int[0], DEAD, 2);
        }
      }

      @Override
      void begin(IntraComm world, Win win) throws InterruptedException {
        world.recv(new int[0], 2, 2);
        Thread queued = Thread.ofPlatform().daemon().unstarted(() -> win.lock(LockType.EXCLUSIVE, 0));
        queued.setUncaughtExceptionHandler((_, _) -> { });
        queued.start();
        queued.join(QUEUED_MILLIS);
      }

      @Override
      void follow(IntraComm world, Win win) {
        if (world.rank() == 2) {
          ended(() -> win.unlock(0));
        }
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.lock(LockType.EXCLUSIVE, 0));
      }
    },
    START {
      @Override
      void begin(IntraComm world, Win win) {}

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.start(world.group().incl(DEAD)));
      }
    },
    AWAIT {
      @Override
      void prepare(IntraComm world, Win win) {
        win.post(world.group().incl(DEAD));
      }

      @Override
      void begin(IntraComm world, Win win) {
        win.start(world.group().incl(0, 2));
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, win::await);
      }
    },
    TEST {
      @Override
      void prepare(IntraComm world, Win win) {
        win.post(world.group().incl(DEAD));
      }

      @Override
      void begin(IntraComm world, Win win) {
        win.start(world.group().incl(0, 2));
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> {
          while (!win.test()) {
            Thread.onSpinWait();
          }
        });
      }
    },
    /** Rank 2 waits for rank 0, which waits for the dead one and gives up. */
    AWAIT_OF_ONE_THAT_GIVES_UP {
      @Override
      void begin(IntraComm world, Win win) {}

      @Override
      void follow(IntraComm world, Win win) {
        if (world.rank() == 0) {
          assertFails(ErrorClass.ERR_PROC_FAILED, () -> win.start(world.group().incl(DEAD, 2)));
        } else {
          win.post(world.group().incl(0));
          assertFails(ErrorClass.ERR_PROC_FAILED, win::await);
        }
      }
    },
    FLUSH {
      @Override
      void prepare(IntraComm world, Win win) {
        win.lockAll();
      }

      @Override
      void begin(IntraComm world, Win win) {}

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> {
          while (true) { // a flush ends well where no message is needed, as long as the rank lives
            win.accumulate(Buf.of(new long[LONG]), DEAD, 0, Op.SUM);
            win.flush(DEAD);
            world.send(new int[0], DEAD, 3);
          }
        });
        ended(win::unlockAll);
      }
    },
    FENCE {
      @Override
      void begin(IntraComm world, Win win) {
        win.fence();
      }

      @Override
      void follow(IntraComm world, Win win) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> {
          win.fence();
          win.fence();
        });
      }
    };

    /** Elements of a part; too many for a request. */
    static final int LONG = 5000;

    void prepare(IntraComm world, Win win) {}

    abstract void begin(IntraComm world, Win win) throws InterruptedException;

    abstract void follow(IntraComm world, Win win);

    /** Runs a call that may or may not need the dead rank. */
    private static void ended(Runnable call) {
      try {
        call.run();
      } catch (MpiException e) {
        assertEquals(ErrorClass.ERR_PROC_FAILED, e.errorClass(), e.getMessage());
      }
    }
  }

  private static void lose(Wait wait, String path, boolean allocated) {
    Survivable.run(RANKS, 1, Map.of("ffmpi.window", path), world -> {
      lose(wait, world, window(world, allocated), Survivable::die);
      useAnother(world.shrink());
    });
  }

  static Win window(IntraComm comm, boolean allocated) {
    return allocated ? comm.winAllocate(8L * Wait.LONG, 8) : comm.winCreate(Buf.of(new long[Wait.LONG]), 8);
  }

  /** Has rank 1 of three die inside an epoch; the wait of the others ends, and their window is closed. */
  static void lose(Wait wait, IntraComm comm, Win win, Runnable death) throws InterruptedException {
    if (comm.rank() == DEAD) {
      for (int other = 0; other < RANKS; other += 2) { // a death before that would end the creation of their window
        comm.recv(new int[0], other, 3);
      }
      wait.begin(comm, win);
      if (wait != Wait.FENCE) {
        comm.send(new int[0], 0, 1);
        comm.send(new int[0], 2, 1);
      }
      death.run();
    }
    comm.send(new int[0], DEAD, 3);
    wait.prepare(comm, win);
    if (wait != Wait.FENCE) {
      comm.recv(new int[0], DEAD, 1);
    }
    wait.follow(comm, win);
    assertFails(ErrorClass.ERR_PROC_FAILED, win::close);
    win.close(); // does nothing
    assertFails(ErrorClass.ERR_WIN, win::segment);
  }

  /** Uses a window of the survivors. */
  static void useAnother(IntraComm rest) {
    long[] one = {1};
    long[] seen = new long[1];
    int other = 1 - rest.rank();
    try (Win win = rest.winAllocate(16, 8)) {
      win.fence();
      win.put(Buf.of(one), other, 0);
      win.fence();
      try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
        win.accumulate(Buf.of(one), 0, 1, Op.SUM);
      }
      rest.barrier();
      try (Epoch _ = win.lockAll()) {
        win.get(Buf.of(seen), 0, 1);
      }
      assertEquals(2, seen[0]);
      win.post(rest.group().incl(other));
      win.start(rest.group().incl(other));
      win.get(Buf.of(seen), other, 0);
      win.complete();
      win.await();
      assertEquals(1, seen[0]);
    }
  }

  /** Either all elements have been combined, or none. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 5000, 200_000, 2_000_000})
  void halfAnAccumulateIsNotCombined(int length) {
    Survivable.run(2, 1, Map.of("ffmpi.cross.most", "0"), world -> {
      long[] part = new long[world.rank() == 0 ? length : 0];
      Win win = world.winCreate(Buf.of(part), 8);
      if (world.rank() == 1) {
        long[] ones = new long[length];
        Arrays.fill(ones, 1);
        win.lock(LockType.SHARED, 0);
        win.accumulate(Buf.of(ones), 0, 0, Op.SUM);
        Survivable.die();
      }
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recv(new int[1], 1, 1));
      assertFails(ErrorClass.ERR_PROC_FAILED, win::close);
      assertEquals(1, Arrays.stream(part).distinct().count());
    });
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void waitsEndInAllocatedWindows(Wait wait) {
    lose(wait, "auto", true);
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void waitsEndInWindowsOverArrays(Wait wait) {
    lose(wait, "auto", false);
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void waitsEndInWindowsByMessages(Wait wait) {
    lose(wait, "message", true);
  }
}
