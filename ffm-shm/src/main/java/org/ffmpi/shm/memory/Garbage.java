// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Runs the garbage collector to free shared memory that is unreachable. A few hundred bytes of Java heap can hold
 * megabytes of shared memory, so that the collector has no reason of its own to run. It is run when shared memory is
 * used up, and when the blocks have grown to a bound that depends on the live blocks of the last time. Any thread; one
 * at a time collects.
 */
final class Garbage {
  /** Least growth that is worth a collection, unless it is a large part of the job's memory. */
  private static final long SMALLEST_MARK = 64L << 20;

  /** Divisor of a rank's even share of the job's memory, above which it collects: rings need room too. */
  private static final int PART = 2;

  /** Pauses after a collection double from one millisecond: half a second together, as for the JDK's direct buffers. */
  private static final int PAUSES = 9;

  /** Pauses of one millisecond where no allocation waits. */
  private static final int SHORT_PAUSES = 10;

  private final LongSupplier held;
  private final long share;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long mark;

  /**
   * Creates the collection of one rank.
   *
   * @param held bytes of all blocks, reachable or not
   * @param limit bytes of the job's memory
   * @param ranks number of ranks that share it
   */
  Garbage(LongSupplier held, long limit, int ranks) {
    this.held = held;
    this.share = limit / ranks / PART;
    mark();
  }

  /** An attempt to acquire memory. */
  interface Attempt<T> {
    /** Returns null without memory. */
    T make();
  }

  /** Collects if the blocks have reached the bound; returns soon also when all of them are reachable. */
  void collectIfDue() {
    if (held.getAsLong() <= mark || !lock.tryLock()) {
      return;
    }
    try {
      long before = held.getAsLong();
      if (before > mark) {
        System.gc();
        boolean interrupted = false;
        for (int i = 0; i < SHORT_PAUSES && held.getAsLong() > before / 2; i++) {
          interrupted |= pause(1);
        }
        mark();
        restore(interrupted);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Collects for a caller that has found no memory, and repeats the attempt while memory is freed.
   *
   * @return the result of the attempt, or null when it never succeeds
   */
  <T> T collectFor(Attempt<T> attempt) {
    lock.lock();
    boolean interrupted = false;
    try {
      T made = attempt.make(); // another thread may have collected meanwhile
      if (made == null && held.getAsLong() > 0) {
        System.gc();
        for (int i = 0; i < PAUSES; i++) {
          interrupted |= pause(1L << i);
          made = attempt.make();
          if (made != null || held.getAsLong() == 0) {
            break;
          }
        }
      }
      mark();
      return made;
    } finally {
      restore(interrupted);
      lock.unlock();
    }
  }

  private void mark() {
    Runtime java = Runtime.getRuntime();
    long heap = java.totalMemory() - java.freeMemory(); // a collection costs about as much as this
    mark = Math.max(2 * held.getAsLong(), Math.min(Math.max(SMALLEST_MARK, heap), share));
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
