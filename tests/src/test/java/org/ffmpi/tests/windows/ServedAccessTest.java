// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;

/** Accesses to parts in Java arrays, which their owner serves. */
class ServedAccessTest {
  /** More receives than operations are kept for reuse. */
  private static final int MANY = 200;
  /** Elements of a message that travels behind its request. */
  private static final int LONG = 40_000;
  private static final int SILENT_MILLIS = 300;
  private static final int AHEAD_MILLIS = 100;

  /** Elements of a message that takes many steps. */
  private static final int LONGEST = 1_000_000;
  private static final int FAR = 20_000;

  private static final AtomicInteger SENT = new AtomicInteger();

  private static volatile long[] watched;

  /** The operation of a message that a flush has completed must not be reused while a request refers to it. */
  @MpiTest(ranks = 2)
  void aRequestStaysCompleteAfterAFlush(IntraComm world) {
    int other = 1 - world.rank();
    try (Win win = world.winCreate(Buf.of(new long[] {5, 6}), 8)) {
      try (Epoch _ = win.lockAll()) {
        long[] got = new long[1];
        Request request = win.rget(Buf.of(got), other, 1);
        win.flush(other);
        Request[] receives = new Request[MANY];
        for (int i = 0; i < MANY; i++) {
          receives[i] = world.irecv(Buf.of(new long[1]), other, 1);
        }
        assertTrue(request.test());
        assertEquals(6, got[0]);
        world.barrier();
        for (Request receive : receives) {
          world.send(Buf.of(got), other, 1);
          receive.await();
        }
      }
    }
  }

  /** The target is silent meanwhile: a thread whose flush returned early would not find the value there. */
  @MpiTest(ranks = 2)
  void aFlushWaitsForWhatAnotherThreadFlushes(IntraComm world) throws InterruptedException {
    long[] part = new long[1];
    if (world.rank() == 1) {
      watched = part;
    }
    try (Win win = world.winCreate(Buf.of(part), 8)) {
      try (Epoch _ = win.lockAll()) {
        world.barrier();
        if (world.rank() == 0) {
          win.put(Buf.of(new long[] {7}), 1, 0);
          Thread first = Thread.ofPlatform().start(() -> win.flush(1));
          Thread.sleep(AHEAD_MILLIS);
          win.flush(1);
          assertEquals(7, watched[0]);
          first.join();
        } else {
          Thread.sleep(SILENT_MILLIS);
        }
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 2, timeout = 20)
  @MpiVariant(name = "in shared memory")
  @MpiVariant(name = "by messages", settings = "ffmpi.window=message")
  void aPartWhoseArenaIsClosedIsAnErrorOfTheOrigin(IntraComm world) {
    refuseClosedParts(world);
  }

  @MpiTest(ranks = 2, timeout = 30, processes = true)
  void soItIsBetweenProcesses(IntraComm world) {
    refuseClosedParts(world);
  }

  private static void refuseClosedParts(IntraComm world) {
    for (boolean confined : new boolean[] {true, false}) {
      Arena arena = confined ? Arena.ofConfined() : Arena.ofShared();
      try (Win win = world.winCreate(Buf.of(arena.allocate(8L * LONG, 8), LONG, Datatype.INT64_T), 8)) {
        arena.close();
        world.barrier();
        if (world.rank() == 0) {
          try (Epoch _ = win.lockAll()) {
            refuse(win);
          }
        }
        long[] value = {world.rank()};
        world.sendrecvReplace(Buf.of(value), 1 - world.rank(), 1, 1 - world.rank(), 1);
        assertEquals(1 - world.rank(), value[0]);
        world.barrier();
      }
    }
  }

  /** The target closes the arena when the first elements have arrived; both ranks are threads. */
  @MpiTest(ranks = 2, timeout = 60)
  @MpiVariant(name = "short pipes", settings = "ffmpi.pipe.bytes=4K")
  @MpiVariant(name = "two nodes", settings = "ffmpi.node=1")
  void anArenaThatIsClosedMidwayIsAnErrorOfTheOrigin(IntraComm world) {
    for (boolean isRequest : new boolean[] {false, true}) {
      Arena arena = Arena.ofShared();
      MemorySegment part = arena.allocate(8L * LONGEST, 8).fill((byte) 1);
      long[] got = new long[LONGEST];
      if (world.rank() == 0) {
        watched = got;
      }
      try (Win win = world.winCreate(Buf.of(part, LONGEST, Datatype.INT64_T), 8)) {
        world.barrier();
        if (world.rank() == 1) {
          while (watched[0] == 0) {
            world.iprobe(0, 1);
          }
          arena.close();
        } else {
          try (Epoch _ = win.lockAll()) {
            assertError(ErrorClass.ERR_BUFFER, () -> {
              Request request = win.rget(Buf.of(got), 1, 0);
              if (isRequest) {
                request.await();
              }
              win.flush(1);
            }, "unusable");
            if (!isRequest) {
              win.flush(1); // the error is reported once
            }
          } catch (MpiException e) {
            assertTrue(isRequest, e::toString); // the epoch reports it, too
          }
        }
        world.barrier();
      }
      if (world.rank() == 1 && arena.scope().isAlive()) {
        arena.close();
      }
    }
  }

  /** A target that makes no progress keeps the requests: their number, and so their memory, is bounded. */
  @MpiTest(ranks = 2, timeout = 60)
  @MpiVariant(name = "arrays")
  @MpiVariant(name = "by messages", settings = "ffmpi.window=message")
  void anOriginWaitsForATargetThatIsFarBehind(IntraComm world) throws InterruptedException {
    long[] part = new long[world.rank() == 1 ? LONG : 0];
    if (world.rank() == 1) {
      SENT.set(0);
    }
    try (Win win = world.winCreate(Buf.of(part), 8)) {
      world.barrier();
      if (world.rank() == 0) {
        try (Epoch _ = win.lock(LockType.SHARED, 1)) {
          long[] ones = new long[LONG];
          Arrays.fill(ones, 1);
          win.accumulate(Buf.of(ones), 1, 0, Op.SUM);
          for (int i = 0; i < FAR; i++) {
            win.accumulate(Buf.of(ones, 0, 1), 1, i, Op.SUM);
            SENT.getAndIncrement();
          }
        }
      } else {
        while (SENT.get() == 0) {
          world.iprobe(0, 1); // grants the lock
        }
        int before;
        do {
          before = SENT.get();
          Thread.sleep(SILENT_MILLIS);
        } while (SENT.get() != before);
        assertTrue(before < FAR / 2, before + " accesses");
      }
      world.barrier();
    }
    for (int i = 0; i < part.length; i++) {
      assertEquals(i < FAR ? 2 : 1, part[i]);
    }
  }

  private static void refuse(Win win) {
    for (int count : new int[] {1, 1000, LONG}) {
      Buf<?> mine = Buf.of(new long[count]);
      refuse(win, () -> win.put(mine, 1, 0));
      refuse(win, () -> win.get(Buf.of(new long[count]), 1, 0));
      refuse(win, () -> win.accumulate(mine, 1, 0, Op.SUM));
      refuse(win, () -> win.getAccumulate(mine, Buf.of(new long[count]), 1, 0, Op.SUM));
      refuse(win, () -> win.getAccumulate(null, Buf.of(new long[count]), 1, 0, Op.NO_OP));
    }
    Buf<?> one = Buf.of(new long[1]);
    refuse(win, () -> win.fetchAndOp(one, Buf.of(new long[1]), 1, 0, Op.SUM));
    refuse(win, () -> win.compareAndSwap(one, one, Buf.of(new long[1]), 1, 0));
    try (Datatype<?> strided = Datatype.vector(LONG / 4, 1, 4, Datatype.INT64_T).commit()) {
      refuse(win, () -> win.put(Buf.of(new long[LONG / 4]), 1, 0, 1, strided));
      refuse(win, () -> win.accumulate(Buf.of(new long[LONG / 4]), 1, 0, 1, strided, Op.SUM));
    }
  }

  private static void refuse(Win win, Runnable access) {
    assertError(ErrorClass.ERR_BUFFER, () -> {
      access.run();
      win.flush(1);
    }, "arena");
    win.flush(1); // the error is reported once
  }

  /** The second call fails like the first, not with ERR_RMA_SYNC. */
  @MpiTest(ranks = 2)
  @MpiVariant(name = "in shared memory")
  @MpiVariant(name = "by messages", settings = "ffmpi.window=message")
  void anEpochThatCannotBeBegunIsNotOpen(IntraComm world) {
    Win win = world.winCreate(Buf.of(new long[1]), 8);
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(Buf.of(new long[1]), 1, 0), "has finalized");
      Group gone = world.group().incl(1);
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.start(gone), "has finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.start(gone), "has finalized");
      try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
        win.put(Buf.of(new long[] {1}), 0, 0);
      }
    }
  }

  /** The second call fails like the first, not with ERR_RMA_SYNC. */
  @MpiTest(ranks = 2)
  @MpiVariant(name = "by messages", settings = "ffmpi.window=message")
  void aLockThatCannotBeTakenIsNotHeld(IntraComm world) {
    Win win = world.winCreate(Buf.of(new long[1]), 8);
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(Buf.of(new long[1]), 1, 0), "has finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.lock(LockType.EXCLUSIVE, 1), "has finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.lock(LockType.EXCLUSIVE, 1), "has finalized");
      try (Epoch _ = win.lockAll()) { // the first access takes the lock
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.put(Buf.of(new long[1]), 1, 0), "has finalized");
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> win.rget(Buf.of(new long[1]), 1, 0), "has finalized");
      }
      try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) { // unlockAll() has released it
        win.put(Buf.of(new long[] {1}), 0, 0);
      }
    }
  }
}
