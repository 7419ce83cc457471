// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.raw.Raw;

/**
 * The lock of one rank's part, for readers and writers in the order in which they come: a ticket lock in one word,
 * after Mellor-Crummey and Scott, "Scalable reader-writer synchronization for shared-memory multiprocessors" (1991).
 * Three counters that wrap round: tickets given out, and which ticket may enter to share, and to exclude. A ticket that
 * shares lets the next one that shares in at once; each that leaves brings the next that excludes closer.
 *
 * <p>One compare-and-set takes a free lock, and one gives it back.
 */
final class PartLock {
  private static final int BITS = 20;
  private static final long MASK = (1L << BITS) - 1;
  private static final int SHARE = BITS;
  private static final int GIVEN = 2 * BITS;

  private PartLock() {}

  /** Takes a ticket, and the lock with it if it is free. Returns the ticket's number, or -1 when the lock is taken. */
  static long enter(long word, boolean exclusive) {
    while (true) {
      long state = Raw.getOpaqueLong(word);
      long given = state >>> GIVEN & MASK;
      boolean free = (exclusive ? state & MASK : state >>> SHARE & MASK) == given;
      long next = state & ~(MASK << GIVEN) | (given + 1 & MASK) << GIVEN;
      if (free && !exclusive) {
        next = withShare(next, given + 1);
      }
      if (Raw.compareAndSetLong(word, state, next)) {
        return free ? -1 : given;
      }
    }
  }

  /**
   * Returns whether it is a ticket's turn: the lock is taken then, and stays so. A ticket that shares has to
   * {@linkplain #letNextShare let the next one in}. Only looks, so that who waits may ask as often as it likes.
   */
  static boolean isTurn(long word, long ticket, boolean exclusive) {
    long state = Raw.getAcquireLong(word);
    return (exclusive ? state & MASK : state >>> SHARE & MASK) == ticket;
  }

  /** Lets the ticket after one that shares the lock share it too. Called once, by the ticket whose turn it is. */
  static void letNextShare(long word, long ticket) {
    while (true) {
      long state = Raw.getOpaqueLong(word);
      if (Raw.compareAndSetLong(word, state, withShare(state, ticket + 1))) {
        return;
      }
    }
  }

  /** Gives the lock back. Returns whether somebody waits for it. */
  static boolean leave(long word, boolean exclusive) {
    while (true) {
      long state = Raw.getOpaqueLong(word);
      long exclude = (state & MASK) + 1 & MASK;
      long next = state & ~MASK | exclude;
      if (exclusive) {
        next = withShare(next, (state >>> SHARE & MASK) + 1);
      }
      if (Raw.compareAndSetLong(word, state, next)) {
        return exclude != (next >>> GIVEN & MASK);
      }
    }
  }

  /** Returns, for who has just taken the lock to share it, whether others wait that may share it too. */
  static boolean hasFollowers(long word) {
    long state = Raw.getOpaqueLong(word);
    return (state >>> SHARE & MASK) != (state >>> GIVEN & MASK);
  }

  private static long withShare(long state, long share) {
    return state & ~(MASK << SHARE) | (share & MASK) << SHARE;
  }
}
