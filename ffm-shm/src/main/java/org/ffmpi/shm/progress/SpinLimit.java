// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/**
 * The number of spins of a waiting thread before it yields. It grows with the number of waits, and with progress during
 * them: a rank that serves others in one long wait is as busy as one that waits often. Any thread; the count is
 * approximate.
 */
final class SpinLimit {
  /** Number of waits that yield early, before the code is compiled: spinning would starve the compiler threads. */
  private static final int COLD_WAITS = 20_000;

  private static final int COLD_SPINS = 50;

  private int spins;
  private int waits;

  SpinLimit(int spins) {
    this.spins = spins;
  }

  /** Changes the number, for waits that begin from now on. */
  void set(int most) {
    spins = most;
  }

  /** Returns the spins for a wait that begins, or continues after something has moved. */
  int next() {
    if (waits < COLD_WAITS) {
      waits++;
      return Math.min(COLD_SPINS, spins);
    }
    return spins;
  }
}
