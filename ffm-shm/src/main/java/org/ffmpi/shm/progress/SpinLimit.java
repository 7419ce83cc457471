// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/**
 * How often a waiting thread looks before it yields. What is counted are waits, and progress during them: a rank that
 * serves others in one long wait is as busy as one that waits often. Any thread; the count is approximate.
 */
final class SpinLimit {
  /** Waits until both sides' code is compiled yield early: a spinning rank would starve its own compiler threads. */
  private static final int COLD_WAITS = 20_000;

  private static final int COLD_SPINS = 50;

  private final int spins;
  private int waits;

  SpinLimit(int spins) {
    this.spins = spins;
  }

  /** Returns how often to look in a wait that begins, or goes on after something has moved. */
  int next() {
    if (waits < COLD_WAITS) {
      waits++;
      return Math.min(COLD_SPINS, spins);
    }
    return spins;
  }
}
