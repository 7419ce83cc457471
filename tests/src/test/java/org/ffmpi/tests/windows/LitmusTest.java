// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.testkit.MpiTest;

/** Orders of plain and ordered accesses of two ranks to one shared part, for each kind of synchronization. */
class LitmusTest {
  private static final int ROUNDS = 1000;
  private static final long LINE = 64;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private static long plain(MemorySegment part, long at) {
    return part.get(ValueLayout.JAVA_LONG, at);
  }

  private static void plain(MemorySegment part, long at, long value) {
    part.set(ValueLayout.JAVA_LONG, at, value);
  }

  private static long acquire(MemorySegment part, long at) {
    return (long) WORD.getAcquire(part, at);
  }

  private static void release(MemorySegment part, long at, long value) {
    WORD.setRelease(part, at, value);
  }

  /** Message passing: a rank that sees the flag sees the datum. */
  @MpiTest(ranks = 2)
  void theFlagBringsTheDatum(IntraComm world) {
    try (Win win = world.winAllocateShared(4 * LINE, 8)) {
      MemorySegment part = win.segment(0);
      for (long i = 1; i <= ROUNDS; i++) {
        if (world.rank() == 0) {
          plain(part, LINE, i);
          release(part, 0, i);
        } else {
          long flag = acquire(part, 0);
          long datum = plain(part, LINE);
          assertTrue(datum >= flag, datum + " after " + flag);
        }
      }
      world.barrier();
    }
  }

  /** Store buffering: with sync between the store and the load of each rank, one sees the other's store. */
  @MpiTest(ranks = 2)
  void syncOrdersStoresBeforeLoads(IntraComm world) {
    try (Win win = world.winAllocateShared(8 * LINE, 8)) {
      MemorySegment part = win.segment(0);
      long mine = world.rank() * LINE;
      long other = (1 - world.rank()) * LINE;
      long[] seen = new long[2];
      for (int i = 1; i <= ROUNDS; i++) {
        WORD.setOpaque(part, mine, 0L);
        world.barrier();
        WORD.setOpaque(part, mine, 1L);
        win.sync();
        long found = (long) WORD.getOpaque(part, other);
        world.allgather(Buf.of(new long[] {found}), Buf.of(seen));
        assertFalse(seen[0] == 0 && seen[1] == 0, "neither has seen the other's store in round " + i);
      }
    }
  }

  /** Store buffering with calls: with a flush between put and get of each rank, one gets what the other has put. */
  @MpiTest(ranks = 2)
  void flushOrdersPutsBeforeGets(IntraComm world) {
    try (Win win = world.winAllocate(2 * LINE, 1)) {
      long mine = world.rank() * LINE;
      long other = (1 - world.rank()) * LINE;
      Buf<?> zero = Buf.of(new long[1]);
      Buf<?> one = Buf.of(new long[] {1});
      long[] found = new long[1];
      long[] seen = new long[2];
      try (Epoch _ = win.lockAll()) {
        for (int i = 1; i <= ROUNDS; i++) {
          win.put(zero, 0, mine);
          win.flush(0);
          world.barrier();
          win.put(one, 0, mine);
          win.flush(0);
          win.get(Buf.of(found), 0, other);
          win.flush(0);
          world.allgather(Buf.of(found), Buf.of(seen));
          assertFalse(seen[0] == 0 && seen[1] == 0, "neither has got what the other has put in round " + i);
        }
      }
    }
  }

  /** Coherence: the values of one word are seen in the order in which they were stored. */
  @MpiTest(ranks = 2)
  void oneWordNeverGoesBack(IntraComm world) {
    try (Win win = world.winAllocateShared(LINE, 8)) {
      MemorySegment part = win.segment(0);
      long last = 0;
      for (long i = 1; i <= 100_000; i++) {
        if (world.rank() == 0) {
          WORD.setOpaque(part, 0L, i);
        } else {
          long now = (long) WORD.getOpaque(part, 0L);
          assertTrue(now >= last, now + " after " + last);
          last = now;
        }
      }
      world.barrier();
    }
  }

  /** Plain stores before a fence or an unlock are seen by plain loads after the matching fence or lock. */
  @MpiTest(ranks = 2)
  void epochsBringPlainStores(IntraComm world) {
    try (Win win = world.winAllocateShared(4 * LINE, 8)) {
      MemorySegment part = win.segment(0);
      for (long i = 1; i <= ROUNDS / 10; i++) {
        win.fence();
        if (world.rank() == 0) {
          plain(part, 0, i);
        }
        win.fence();
        assertEquals(i, plain(part, 0));
      }
      win.fence(Constants.MODE_NOSUCCEED);
      for (int i = 0; i < ROUNDS / 10; i++) {
        try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
          plain(part, LINE, plain(part, LINE) + 1);
          plain(part, 2 * LINE, plain(part, 2 * LINE) + 1);
        }
      }
      world.barrier();
      win.sync();
      assertEquals(2L * (ROUNDS / 10), plain(part, LINE));
      assertEquals(2L * (ROUNDS / 10), plain(part, 2 * LINE));
      world.barrier();
    }
  }

  /** The same between processes, which map the memory at different addresses. */
  @MpiTest(ranks = 2, processes = true)
  void processesSeeTheSame(IntraComm world) {
    theFlagBringsTheDatum(world);
    syncOrdersStoresBeforeLoads(world);
    flushOrdersPutsBeforeGets(world);
    epochsBringPlainStores(world);
  }
}
