// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

/**
 * The vector clock of one rank, which shows how far this rank knows each rank to have come. Its own entry grows with
 * each access to a window and each call that orders this rank with others. Any thread.
 */
final class RankClock {
  private final int self;
  private final long[] entries;
  /** The last copy, while nothing has changed. */
  private long[] copy;

  RankClock(int self, int peers) {
    this.self = self;
    this.entries = new long[peers];
    entries[self] = 1;
  }

  /** Returns the entries, not to be changed. */
  synchronized long[] now() {
    if (copy == null) {
      copy = entries.clone();
    }
    return copy;
  }

  /** Begins a moment of its own and returns its clock; what follows is later. */
  synchronized long[] moment() {
    entries[self]++;
    copy = null;
    long[] now = now();
    entries[self]++;
    copy = null;
    return now;
  }

  /** Returns the clock to tell others; what follows is not covered by it. */
  synchronized long[] release() {
    long[] now = now();
    entries[self]++;
    copy = null;
    return now;
  }

  /** Learns what another rank has told. */
  synchronized void join(long[] told) {
    for (int i = 0; i < entries.length; i++) {
      if (i != self && told[i] > entries[i]) {
        entries[i] = told[i];
        copy = null;
      }
    }
  }
}
