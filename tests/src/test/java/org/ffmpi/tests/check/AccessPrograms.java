// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/** Buffers of accesses to windows, memory of windows, and promises about their epochs. */
final class AccessPrograms {
  private static final String FAMILY = "access";
  private static final String AT = " at AccessPrograms.java:\\d+";
  private static final String CHANGED = AT + " (reads|writes) .* until MPI_Win_\\w+" + AT + "; they were changed";

  private AccessPrograms() {}

  /** What each of two ranks does with a window and the other's part. */
  interface Access {
    void run(Win win, int[] buffer, int other, boolean isWrong);
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    buffers(all);
    add(all, "two gets into one buffer", "MPI_Get" + AT + " writes .*, which MPI_Get" + AT + " writes until",
        fenced((win, buffer, other, isWrong) -> {
          win.get(Buf.of(buffer), other, 0);
          win.get(Buf.of(buffer), other, isWrong ? 4 : 0); // the same again does no harm
        }));
    add(all, "put of what a get writes", "MPI_Put" + AT + " reads .*, which MPI_Get" + AT + " writes until",
        fenced((win, buffer, other, isWrong) -> {
          win.get(Buf.of(buffer, 0, 4), other, 0);
          win.put(Buf.of(buffer, isWrong ? 0 : 4, 4), other, 8);
        }));
    all.addAll(Judged.pair(FAMILY, "arena closed under a window", 2,
        "MPI_Win_create" + AT + " uses memory until MPI_Win_free" + AT + "; its arena was closed",
        (mpi, world) -> memory(world, true), (mpi, world) -> memory(world, false)));
    promises(all);
    overlaps(all);
    return all;
  }

  private static void buffers(List<Judged> all) {
    add(all, "buffer of a put is changed", "MPI_Put" + CHANGED, fenced((win, buffer, other, isWrong) -> {
      win.put(Buf.of(buffer), other, 0);
      change(win, buffer, isWrong);
    }));
    add(all, "buffer of a get is changed", "MPI_Get" + CHANGED, fenced((win, buffer, other, isWrong) -> {
      win.get(Buf.of(buffer), other, 0);
      change(win, buffer, isWrong);
    }));
    add(all, "buffer of an accumulate is changed", "MPI_Accumulate" + CHANGED, fenced((win, buffer, other, isWrong) -> {
      win.accumulate(Buf.of(buffer), other, 0, Op.SUM);
      change(win, buffer, isWrong);
    }));
    add(all, "result of a getAccumulate is changed", "MPI_Get_accumulate" + CHANGED,
        fenced((win, buffer, other, isWrong) -> {
          win.getAccumulate(Buf.of(new int[8]), Buf.of(buffer), other, 0, Op.SUM);
          change(win, buffer, isWrong);
        }));
    add(all, "buffer of a put is changed before the flush", "MPI_Put" + CHANGED, (win, buffer, other, isWrong) -> {
      win.lock(LockType.SHARED, other);
      win.put(Buf.of(buffer), other, 0);
      if (!isWrong) {
        win.flushLocal(other);
      }
      buffer[2] = 5;
      win.flush(other);
      win.unlock(other);
    });
    add(all, "buffer of a request is changed", "MPI_Rput" + AT + " reads .* until MPI_Wait" + AT + "; they were",
        (win, buffer, other, isWrong) -> {
          win.lockAll();
          var put = win.rput(Buf.of(buffer), other, 0);
          if (!isWrong) {
            put.await();
          }
          buffer[2] = 5;
          put.await();
          win.unlockAll();
        });
  }

  private static void change(Win win, int[] buffer, boolean isWrong) {
    if (!isWrong) {
      win.fence();
    }
    buffer[2] = 5;
  }

  private static void promises(List<Judged> all) {
    add(all, "NOPRECEDE after a put", "ERR_ASSERT.*MODE_NOPRECEDE", (win, buffer, other, isWrong) -> {
      win.fence();
      win.put(Buf.of(buffer), other, 0);
      win.fence(isWrong ? Constants.MODE_NOPRECEDE : Constants.MODE_NOSUCCEED);
    });
    all.addAll(Judged.pair(FAMILY, "NOPUT where a put follows", 2, "ERR_RMA_CONFLICT.*rank 1 has promised.*MODE_NOPUT",
        (mpi, world) -> noPut(world, Constants.MODE_NOPUT), (mpi, world) -> noPut(world, Constants.MODE_NOSTORE)));
    add(all, "lock between two fences of an epoch", "MPI_Win_lock" + AT + " lies in the epoch between two fences",
        (win, buffer, other, isWrong) -> {
          win.fence(isWrong ? 0 : Constants.MODE_NOSUCCEED);
          win.lock(LockType.SHARED, other);
          win.put(Buf.of(buffer), other, 0);
          win.unlock(other);
          win.fence();
        });
    add(all, "fence missing before the free", "close\\(\\): fence\\(\\) has not followed",
        (win, buffer, other, isWrong) -> {
          win.fence();
          win.put(Buf.of(buffer), other, 0);
          if (!isWrong) {
            win.fence();
          }
        });
  }

  private static void noPut(IntraComm world, int assertions) {
    try (Win win = world.winAllocate(32, 4)) {
      win.fence(world.rank() == 1 ? assertions : 0);
      if (world.rank() == 0) {
        win.put(Buf.of(new int[8]), 1, 0);
      }
      win.fence();
    }
  }

  private static Access fenced(Access access) {
    return (win, buffer, other, isWrong) -> {
      win.fence();
      access.run(win, buffer, other, isWrong);
      win.fence();
    };
  }

  private static void add(List<Judged> all, String mistake, String expected, Access access) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, (mpi, world) -> run(world, access, true),
        (mpi, world) -> run(world, access, false)));
  }

  private static void run(IntraComm world, Access access, boolean isWrong) {
    try (Win win = world.winAllocate(64, 4)) {
      access.run(win, new int[8], 1 - world.rank(), isWrong);
    }
  }

  private static void memory(IntraComm world, boolean early) {
    Arena arena = Arena.ofShared();
    Win win = world.winCreate(Buf.of(arena.allocate(64), Datatype.BYTE), 1);
    if (early) {
      arena.close();
    }
    win.close();
    if (!early) {
      arena.close();
    }
  }

  // ---- windows over the same memory

  private static void overlaps(List<Judged> all) {
    String through = " of bytes 0 to 3 of rank 1's part of window \\d+ contradicts .* of rank \\d of window \\d+, to"
        + " bytes 20 to 23 there, which is the same memory";
    all.addAll(Judged.pair(FAMILY, "puts through two windows over one array", 2, "MPI_Put" + through,
        (mpi, world) -> twoWindows(world, overArray(), false, true),
        (mpi, world) -> twoWindows(world, overArray(), false, false)));
    all.addAll(Judged.pair(FAMILY, "accumulates through two windows over one segment", 2, "MPI_SUM" + through,
        (mpi, world) -> twoWindows(world, overSegment(), true, true),
        (mpi, world) -> twoWindows(world, overSegment(), true, false)));
  }

  private static Buf<?>[] overArray() {
    int[] memory = new int[20];
    return new Buf<?>[] {Buf.of(memory, 0, 10), Buf.of(memory, 5, 10)};
  }

  private static Buf<?>[] overSegment() {
    MemorySegment memory = Arena.ofAuto().allocate(80, 8);
    return new Buf<?>[] {Buf.of(memory.asSlice(0, 40), Datatype.BYTE), Buf.of(memory.asSlice(20, 40), Datatype.BYTE)};
  }

  /** Rank 0 accesses one place through both windows; in the right program the first access is complete before. */
  private static void twoWindows(IntraComm world, Buf<?>[] memory, boolean accumulates, boolean isWrong) {
    try (Win first = world.winCreate(memory[0], 4); Win second = world.winCreate(memory[1], 4)) {
      if (world.rank() == 0) {
        first.lock(LockType.SHARED, 1);
        second.lock(LockType.SHARED, 1);
        access(first, 5, accumulates);
        if (!isWrong) {
          first.flush(1);
        }
        access(second, 0, accumulates);
        first.unlock(1);
        second.unlock(1);
      }
    }
  }

  private static void access(Win win, long position, boolean accumulates) {
    if (accumulates) {
      win.accumulate(Buf.of(new int[1]), 1, position, Op.SUM);
    } else {
      win.put(Buf.of(new int[1]), 1, position);
    }
  }
}
