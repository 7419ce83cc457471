// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.LongSupplier;

/**
 * Decides whether a waiting thread yields its core or gives it up. A yield between ranks with cores of their own takes
 * less than a microsecond. One that takes much longer has given the core to another thread, mostly a compiler of this
 * JVM, and the kernel leaves it there for a time slice of milliseconds, even when a message arrives. A thread that
 * sleeps gets its core back as soon as it is woken, and leaves all the time until then to the compiler. The poller's,
 * without locks.
 */
final class CoreShare {
  /**
   * A yield that takes longer has lost the core to a compiler. Shorter losses, as to work of the kernel, come in every
   * job, and a sleep after one costs each long message two system calls.
   */
  private static final long LOST_NANOS = 1_000_000;

  /** How long the core counts as shared after such a yield: the longest compilations take some 100 ms. */
  private static final long SHARED_NANOS = 20_000_000;

  private final boolean isWatched;
  private final LongSupplier clock;
  private boolean isShared;
  private long lostAt;

  /**
   * Creates the account of a rank's poller.
   *
   * @param isWatched false where ranks share cores, and a yield hands the core from one rank to another, as it should
   */
  CoreShare(boolean isWatched) {
    this(isWatched, System::nanoTime);
  }

  /** Creates an account by a clock of its own, for tests. */
  CoreShare(boolean isWatched, LongSupplier clock) {
    this.isWatched = isWatched;
    this.clock = clock;
  }

  /** Returns whether others want the core, so that the thread should sleep rather than yield. */
  boolean isShared() {
    if (isShared && clock.getAsLong() - lostAt > SHARED_NANOS) {
      isShared = false;
    }
    return isShared;
  }

  /**
   * Yields the core once.
   *
   * @param wakesAtOnce whether a sleeping thread would be woken by what it waits for
   */
  void yield(boolean wakesAtOnce) {
    if (!isWatched || !wakesAtOnce) {
      Thread.yield();
      return;
    }
    long start = clock.getAsLong();
    Thread.yield();
    long end = clock.getAsLong();
    if (end - start > LOST_NANOS) {
      isShared = true;
      lostAt = end;
    }
  }
}
