// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/** Arguments, epochs and contradicting accesses of windows. */
final class WindowPrograms {
  private static final String FAMILY = "window";
  private static final String SYNC = "ERR_RMA_SYNC.*WindowPrograms.java:\\d+";

  private WindowPrograms() {}

  /** What ranks do with a window. */
  interface Access {
    void run(Win win, IntraComm world, int other);
  }

  private static void add(List<Judged> all, String mistake, String expected, Access wrong, Access right) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, (mpi, world) -> on(world, wrong),
        (mpi, world) -> on(world, right)));
  }

  private static void on(IntraComm world, Access access) {
    try (Win win = world.winAllocate(64, 8)) {
      access.run(win, world, 1 - world.rank());
    }
  }

  /** An access between two fences. */
  private static Access fenced(Access access) {
    return (win, world, other) -> {
      win.fence();
      access.run(win, world, other);
      win.fence();
    };
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    making(all);
    arguments(all);
    epochs(all);
    conflicts(all);
    return all;
  }

  private static void making(List<Judged> all) {
    all.addAll(Judged.pair(FAMILY, "negative size", 2, "ERR_(SIZE|ARG)",
        (mpi, world) -> world.winAllocate(-8, 8).close(), (mpi, world) -> world.winAllocate(0, 8).close()));
    all.addAll(Judged.pair(FAMILY, "displacement unit of 0", 2, "ERR_(DISP|ARG)",
        (mpi, world) -> world.winAllocate(8, 0).close(), (mpi, world) -> world.winAllocate(8, 1).close()));
    all.addAll(Judged.pair(FAMILY, "use after free", 2, "ERR_WIN", (mpi, world) -> {
      Win win = world.winAllocate(8, 8);
      win.close();
      win.fence();
    }, (mpi, world) -> {
      Win win = world.winAllocate(8, 8);
      win.fence();
      win.close();
    }));
    all.addAll(Judged.pair(FAMILY, "sizes of shared parts that do not fit", 2, "ERR_",
        (mpi, world) -> world.winAllocateShared(-1, 8).close(),
        (mpi, world) -> world.winAllocateShared(8, 8).close()));
  }

  private static void arguments(List<Judged> all) {
    Buf<Long> one = Buf.of(new long[1]);
    add(all, "target that is no rank", "ERR_RANK: target = 2", fenced((win, world, other) -> win.put(one, 2, 0)),
        fenced((win, world, other) -> win.put(one, Constants.PROC_NULL, 0)));
    add(all, "place behind the end of the window", "ERR_RMA_RANGE|ERR_DISP|ERR_ARG",
        fenced((win, world, other) -> win.put(one, other, 8)), fenced((win, world, other) -> win.put(one, other, 7)));
    add(all, "negative place", "ERR_(DISP|RMA_RANGE|ARG)", fenced((win, world, other) -> win.get(
        Buf.of(new long[1]), other, -1)), fenced((win, world, other) -> win.get(Buf.of(new long[1]), other, 0)));
    add(all, "no origin", "ERR_BUFFER", fenced((win, world, other) -> win.put(null, other, 0)),
        fenced((win, world, other) -> win.put(one, other, 0)));
    add(all, "no operation", "ERR_OP", fenced((win, world, other) -> win.accumulate(one, other, 0, null)),
        fenced((win, world, other) -> win.accumulate(one, other, 0, Op.SUM)));
    add(all, "operation of the program", "ERR_OP", fenced((win, world, other) -> {
      try (Op<Long> last = Op.commutative(Datatype.LONG_LONG, (a, b) -> b)) {
        win.accumulate(one, other, 0, last);
      }
    }), fenced((win, world, other) -> win.accumulate(one, other, 0, Op.REPLACE)));
    add(all, "types of origin and target", "ERR_TYPE",
        fenced((win, world, other) -> win.put(one, other, 0, 1, Datatype.DOUBLE)),
        fenced((win, world, other) -> win.put(one, other, 0, 1, Datatype.INT64_T)));
    add(all, "target type that is not committed", "ERR_TYPE.*commit",
        fenced((win, world, other) -> win.put(one, other, 0, 1, Datatype.contiguous(1, Datatype.INT64_T))),
        fenced((win, world, other) -> {
          try (Datatype<Long> type = Datatype.contiguous(1, Datatype.INT64_T).commit()) {
            win.put(one, other, 0, 1, type);
          }
        }));
    add(all, "unknown assertion", "ERR_(ASSERT|ARG)", (win, world, other) -> win.fence(7),
        (win, world, other) -> win.fence(0));
    add(all, "lock of a rank that is none", "ERR_RANK", (win, world, other) -> {
      win.lock(LockType.SHARED, 2);
      win.unlock(2);
    }, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.unlock(other);
    });
    add(all, "no kind of lock", "ERR_(LOCKTYPE|ARG)", (win, world, other) -> win.lock(null, other),
        (win, world, other) -> win.lock(LockType.EXCLUSIVE, other).close());
  }

  private static void epochs(List<Judged> all) {
    Buf<Long> one = Buf.of(new long[1]);
    add(all, "put outside of an epoch", SYNC, (win, world, other) -> win.put(one, other, 0),
        fenced((win, world, other) -> win.put(one, other, 0)));
    add(all, "get outside of an epoch", SYNC, (win, world, other) -> win.get(Buf.of(new long[1]), other, 0),
        fenced((win, world, other) -> win.get(Buf.of(new long[1]), other, 0)));
    add(all, "accumulate outside of an epoch", SYNC, (win, world, other) -> win.accumulate(one, other, 0, Op.SUM),
        fenced((win, world, other) -> win.accumulate(one, other, 0, Op.SUM)));
    add(all, "access to a rank that is not locked", SYNC, (win, world, other) -> {
      win.lock(LockType.SHARED, world.rank());
      win.put(one, other, 0);
    }, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.put(one, other, 0);
      win.unlock(other);
    });
    add(all, "request outside of a lock", SYNC, fenced((win, world, other) -> win.rput(one, other, 0).await()),
        (win, world, other) -> {
          win.lockAll();
          win.rput(one, other, 0).await();
          win.unlockAll();
        });
    add(all, "second lock of a rank", SYNC, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.lock(LockType.SHARED, other);
    }, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.unlock(other);
      win.lock(LockType.SHARED, other);
      win.unlock(other);
    });
    add(all, "unlock without a lock", SYNC, (win, world, other) -> win.unlock(other), (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.unlock(other);
    });
    add(all, "unlockAll without lockAll", SYNC, (win, world, other) -> win.unlockAll(), (win, world, other) -> {
      win.lockAll();
      win.unlockAll();
    });
    add(all, "missing unlock", SYNC, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.put(one, other, 0);
    }, (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.put(one, other, 0);
      win.unlock(other);
    });
    add(all, "missing unlockAll", SYNC, (win, world, other) -> win.lockAll(), (win, world, other) -> {
      win.lockAll();
      win.unlockAll();
    });
    add(all, "flush outside of a lock", SYNC, (win, world, other) -> win.flush(other), (win, world, other) -> {
      win.lock(LockType.SHARED, other);
      win.flush(other);
      win.unlock(other);
    });
    add(all, "complete without a start", SYNC, (win, world, other) -> win.complete(), WindowPrograms::posted);
    add(all, "wait without a post", SYNC, (win, world, other) -> win.await(), WindowPrograms::posted);
    add(all, "access to a rank that start does not name", SYNC, (win, world, other) -> {
      win.post(world.group().incl(other));
      win.start(world.group().incl(other));
      win.put(one, world.rank(), 0);
    }, WindowPrograms::posted);
    add(all, "fence inside of a lock", SYNC, (win, world, other) -> {
      win.lock(LockType.SHARED, world.rank());
      win.fence();
    }, (win, world, other) -> {
      win.lock(LockType.SHARED, world.rank());
      win.unlock(world.rank());
      win.fence();
    });
    add(all, "lock inside of a fence's epoch", SYNC, fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.lock(LockType.SHARED, other);
    }), fenced((win, world, other) -> win.put(one, other, 0)));
  }

  private static void posted(Win win, IntraComm world, int other) {
    win.post(world.group().incl(other));
    win.start(world.group().incl(other));
    win.put(Buf.of(new long[1]), other, 0);
    win.complete();
    win.await();
  }

  private static void conflicts(List<Judged> all) {
    Buf<Long> one = Buf.of(new long[1]);
    add(all, "two puts to one place", "ERR_RMA_CONFLICT.*MPI_Put", fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.put(one, other, 0);
    }), fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.put(one, other, 1);
    }));
    add(all, "get of what is put", "ERR_RMA_CONFLICT.*MPI_(Get|Put)", fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.get(Buf.of(new long[1]), other, 0);
    }), fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.fence();
      win.get(Buf.of(new long[1]), other, 0);
    }));
    add(all, "put and accumulate", "ERR_RMA_CONFLICT", fenced((win, world, other) -> {
      win.put(one, other, 0);
      win.accumulate(one, other, 0, Op.SUM);
    }), fenced((win, world, other) -> {
      win.accumulate(one, other, 0, Op.SUM);
      win.accumulate(one, other, 0, Op.SUM);
    }));
    add(all, "accumulates of two operations", "ERR_RMA_CONFLICT",
        fenced((win, world, other) -> win.accumulate(one, 0, 0, world.rank() == 0 ? Op.SUM : Op.MAX)),
        fenced((win, world, other) -> {
          win.accumulate(one, other, 0, Op.MAX);
          win.accumulate(one, other, 0, Op.REPLACE); // after the one before, since both are of one rank
        }));
    add(all, "put after a get whose request is not complete", "ERR_RMA_CONFLICT", (win, world, other) -> {
      win.lockAll();
      Request got = win.rget(Buf.of(new long[1]), other, 0);
      win.put(one, other, 0);
      got.await();
      win.unlockAll();
    }, (win, world, other) -> {
      win.lockAll();
      win.rget(Buf.of(new long[1]), other, 0).await();
      win.put(one, other, 0);
      win.flush(other);
      win.rgetAccumulate(one, Buf.of(new long[1]), other, 0, Op.REPLACE).await();
      win.get(Buf.of(new long[1]), other, 0);
      win.flushLocal(other);
      win.put(one, other, 0);
      win.unlockAll();
    });
    add(all, "puts of two ranks", "ERR_RMA_CONFLICT.*rank [01]", fenced((win, world, other) -> win.put(one, 0, 0)),
        fenced((win, world, other) -> win.put(one, 0, world.rank())));
  }
}
