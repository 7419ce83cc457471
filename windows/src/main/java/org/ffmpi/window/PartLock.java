// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.ffmpi.window.LockWordLayout.casState;
import static org.ffmpi.window.LockWordLayout.exclude;
import static org.ffmpi.window.LockWordLayout.getAcquireState;
import static org.ffmpi.window.LockWordLayout.getOpaqueState;
import static org.ffmpi.window.LockWordLayout.given;
import static org.ffmpi.window.LockWordLayout.share;
import static org.ffmpi.window.LockWordLayout.withExclude;
import static org.ffmpi.window.LockWordLayout.withGiven;
import static org.ffmpi.window.LockWordLayout.withShare;

/**
 * A fair lock of one rank's part for readers and writers: a ticket lock in one word ({@link LockWordLayout}), after
 * Mellor-Crummey and Scott, "Scalable reader-writer synchronization for shared-memory multiprocessors" (1991). A
 * shared ticket admits the next shared ticket at once; each release advances the ticket that may exclude the others.
 *
 * <p>One compare-and-set acquires a free lock, and one releases it.
 */
final class PartLock {
  /** Returned instead of a ticket: the lock was free and has been acquired. */
  static final long ACQUIRED = -1;

  private PartLock() {}

  /** Draws a ticket, and acquires the lock if it is free. Returns the ticket, or {@link #ACQUIRED}. */
  static long acquireOrQueue(long word, boolean exclusive) {
    while (true) {
      long state = getOpaqueState(word);
      long ticket = given(state);
      boolean free = (exclusive ? exclude(state) : share(state)) == ticket;
      long next = withGiven(state, ticket + 1);
      if (free && !exclusive) {
        next = withShare(next, ticket + 1);
      }
      if (casState(word, state, next)) {
        return free ? ACQUIRED : ticket;
      }
    }
  }

  /**
   * Returns whether a ticket has acquired the lock; it then holds it until {@link #release}. A shared ticket has to
   * {@linkplain #admitNextShared admit the next one}. Has no side effects, so that a wait condition may repeat it.
   */
  static boolean isAcquired(long word, long ticket, boolean exclusive) {
    long state = getAcquireState(word);
    return (exclusive ? exclude(state) : share(state)) == ticket;
  }

  /** Lets the next ticket share the lock too. Called once for each shared ticket that had to wait. */
  static void admitNextShared(long word, long ticket) {
    while (true) {
      long state = getOpaqueState(word);
      if (casState(word, state, withShare(state, ticket + 1))) {
        return;
      }
    }
  }

  /** Releases the lock. Returns whether a ticket waits for it. */
  static boolean release(long word, boolean exclusive) {
    while (true) {
      long state = getOpaqueState(word);
      long next = withExclude(state, exclude(state) + 1);
      if (exclusive) {
        next = withShare(next, share(state) + 1);
      }
      if (casState(word, state, next)) {
        return exclude(next) != given(next);
      }
    }
  }

  /** Returns whether tickets follow one that has just acquired the lock to share it: they may share it too. */
  static boolean hasFollowers(long word) {
    long state = getOpaqueState(word);
    return share(state) != given(state);
  }
}
