// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;

/** Windows that are closed where that is an error: they are closed all the same, and no rank waits for another. */
@EveryWindowPath
class CloseTest {
  private static List<MpiException> handled(Win win) {
    List<MpiException> seen = new ArrayList<>();
    win.setErrhandler(Errhandler.of((Win _, MpiException error) -> seen.add(error)));
    return seen;
  }

  private static void assertClosesWith(ErrorClass expected, Win win, String... parts) {
    List<MpiException> seen = handled(win);
    assertError(expected, win::close, parts);
    assertEquals(1, seen.size(), seen.toString());
    win.close();
    assertError(ErrorClass.ERR_WIN, () -> win.fence());
  }

  @MpiTest(ranks = 3)
  void aDeleteFunctionThrowsAtOneRank(IntraComm world) {
    Keyval<Win, String> key = Keyval.of((from, value) -> Optional.empty(), (from, value) -> {
      throw new IllegalStateException("not deleted");
    });
    Win win = world.winAllocate(8, 8);
    if (world.rank() == 0) {
      win.attributes().set(key, "value");
      assertClosesWith(ErrorClass.ERR_OTHER, win, "not deleted");
    } else {
      win.close();
    }
    world.barrier();
  }

  @MpiTest(ranks = 3)
  void oneRankHoldsALock(IntraComm world) {
    long[] part = new long[1];
    Win win = world.winCreate(Buf.of(part), 8);
    if (world.rank() == 0) {
      win.lock(LockType.EXCLUSIVE, 1);
      win.put(Buf.of(new long[] {7}), 1, 0);
      world.send(new int[0], 2, 1);
      assertClosesWith(ErrorClass.ERR_RMA_SYNC, win, "rank 1 is locked since lock()");
    } else if (world.rank() == 2) {
      world.recv(new int[0], 0, 1);
      win.lock(LockType.SHARED, 1);
      win.unlock(1);
    }
    win.close();
    assertEquals(world.rank() == 1 ? 7 : 0, part[0]);
  }

  @MpiTest(ranks = 3)
  void oneRankHasLockedAll(IntraComm world) {
    Win win = world.winAllocate(8, 8);
    if (world.rank() == 0) {
      win.lockAll();
      win.put(Buf.of(new long[] {7}), 1, 0);
      assertClosesWith(ErrorClass.ERR_RMA_SYNC, win, "all ranks are locked since lockAll()");
    }
    win.close();
  }

  @MpiTest(ranks = 3)
  void oneRankHasNotCompleted(IntraComm world) {
    long[] part = new long[1];
    Win win = world.winCreate(Buf.of(part), 8);
    if (world.rank() == 0) {
      win.start(world.group().incl(1));
      win.put(Buf.of(new long[] {7}), 1, 0);
      assertClosesWith(ErrorClass.ERR_RMA_SYNC, win, "start() has not been followed by complete()");
    } else if (world.rank() == 1) {
      win.post(world.group().incl(0));
      win.await();
      assertEquals(7, part[0]);
    }
    win.close();
  }

  @MpiTest(ranks = 3)
  void oneRankHasNotAwaited(IntraComm world) {
    Win win = world.winAllocate(8, 8);
    if (world.rank() == 0) {
      win.post(world.group().incl(1));
      assertFalse(win.test());
      world.send(new int[0], 1, 1);
      assertClosesWith(ErrorClass.ERR_RMA_SYNC, win, "post() has not been followed by await()");
    } else if (world.rank() == 1) {
      win.start(world.group().incl(0));
      world.recv(new int[0], 0, 1);
      win.complete();
    }
    win.close();
  }
}
