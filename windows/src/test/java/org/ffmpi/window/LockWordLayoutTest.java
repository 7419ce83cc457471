// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.Test;

/** The counters of a lock word are where its diagram shows them, wrap round, and do not overlap. */
class LockWordLayoutTest {
  private static final long LAST = (1 << 20) - 1;

  @Test
  void countersDoNotOverlap() {
    assertEquals(LAST, LockWordLayout.withExclude(0, LAST));
    assertEquals(LAST << 20, LockWordLayout.withShare(0, LAST));
    assertEquals(LAST << 40, LockWordLayout.withGiven(0, LAST));
    for (long exclude : new long[] {0, 1, LAST}) {
      for (long share : new long[] {0, 2, LAST}) {
        for (long given : new long[] {0, 3, LAST}) {
          long state = LockWordLayout.withGiven(LockWordLayout.withExclude(
              LockWordLayout.withShare(LAST << 20 | LAST, share), exclude), given);
          assertEquals(exclude, LockWordLayout.exclude(state));
          assertEquals(share, LockWordLayout.share(state));
          assertEquals(given, LockWordLayout.given(state));
        }
      }
    }
  }

  @Test
  void countersWrapRound() {
    long full = LockWordLayout.withExclude(LockWordLayout.withShare(LockWordLayout.withGiven(0, LAST), LAST), LAST);
    assertEquals(LAST << 20 | LAST << 40, LockWordLayout.withExclude(full, LAST + 1));
    assertEquals(LAST | LAST << 40, LockWordLayout.withShare(full, LAST + 1));
    assertEquals(LAST | LAST << 20, LockWordLayout.withGiven(full, LAST + 1));
  }

  @Test
  void theWordIsTheState() {
    try (Arena arena = Arena.ofConfined()) {
      long word = Raw.address(arena.allocate(Long.BYTES, Long.BYTES));
      long state = LockWordLayout.withGiven(0, 7);
      assertFalse(LockWordLayout.casState(word, 1, state));
      assertTrue(LockWordLayout.casState(word, 0, state));
      assertEquals(state, LockWordLayout.getOpaqueState(word));
      assertEquals(state, LockWordLayout.getAcquireState(word));
      assertEquals(state, Raw.getLong(word));
    }
  }

  /** Tickets are served in order, also past the largest number of a counter. */
  @Test
  void locksAreFairPastTheEndOfTheCounters() {
    try (Arena arena = Arena.ofConfined()) {
      long word = Raw.address(arena.allocate(Long.BYTES, Long.BYTES));
      Raw.putLong(word, LockWordLayout.withExclude(
          LockWordLayout.withShare(LockWordLayout.withGiven(0, LAST), LAST), LAST));
      assertEquals(PartLock.ACQUIRED, PartLock.acquireOrQueue(word, true));
      assertEquals(0, PartLock.acquireOrQueue(word, false));
      assertEquals(1, PartLock.acquireOrQueue(word, false));
      assertEquals(2, PartLock.acquireOrQueue(word, true));
      assertFalse(PartLock.isAcquired(word, 0, false));
      assertTrue(PartLock.release(word, true));
      assertTrue(PartLock.isAcquired(word, 0, false));
      assertFalse(PartLock.isAcquired(word, 1, false));
      PartLock.admitNextShared(word, 0);
      assertTrue(PartLock.isAcquired(word, 1, false));
      PartLock.admitNextShared(word, 1);
      assertTrue(PartLock.hasFollowers(word));
      PartLock.release(word, false);
      assertFalse(PartLock.isAcquired(word, 2, true));
      PartLock.release(word, false);
      assertTrue(PartLock.isAcquired(word, 2, true));
      assertFalse(PartLock.release(word, true));
    }
  }
}
