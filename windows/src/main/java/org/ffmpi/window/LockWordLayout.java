// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.raw.Raw;

/**
 * The lock word of a part, see {@link PartLock}: three counters of tickets, zero to begin with, which wrap round.
 *
 * <pre>
 *  63      60 59              40 39              20 19               0
 *  +---------+------------------+------------------+------------------+
 *  | 0       | given            | share            | exclude          |
 *  +---------+------------------+------------------+------------------+
 * </pre>
 *
 * <p>{@code given} is the next ticket to be drawn. The ticket that equals {@code share} may share the lock, the one
 * that equals {@code exclude} may exclude all others. Fewer than 2<sup>20</sup> tickets wait at any time.
 */
final class LockWordLayout {
  static final int COUNTER_BITS = 20;
  static final int EXCLUDE_SHIFT = 0;
  static final int SHARE_SHIFT = EXCLUDE_SHIFT + COUNTER_BITS;
  static final int GIVEN_SHIFT = SHARE_SHIFT + COUNTER_BITS;

  private static final long MASK = (1L << COUNTER_BITS) - 1;

  private LockWordLayout() {}

  static long getOpaqueState(long word) {
    return Raw.getOpaqueLong(word);
  }

  static long getAcquireState(long word) {
    return Raw.getAcquireLong(word);
  }

  static boolean casState(long word, long expected, long state) {
    return Raw.compareAndSetLong(word, expected, state);
  }

  // ---- the counters of a state

  static long exclude(long state) {
    return state >>> EXCLUDE_SHIFT & MASK;
  }

  static long share(long state) {
    return state >>> SHARE_SHIFT & MASK;
  }

  static long given(long state) {
    return state >>> GIVEN_SHIFT & MASK;
  }

  static long withExclude(long state, long exclude) {
    return state & ~(MASK << EXCLUDE_SHIFT) | (exclude & MASK) << EXCLUDE_SHIFT;
  }

  static long withShare(long state, long share) {
    return state & ~(MASK << SHARE_SHIFT) | (share & MASK) << SHARE_SHIFT;
  }

  static long withGiven(long state, long given) {
    return state & ~(MASK << GIVEN_SHIFT) | (given & MASK) << GIVEN_SHIFT;
  }
}
