// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Asks the garbage collector for shared memory that no program refers to any more: the collector sees a few hundred
 * bytes of Java heap where megabytes of shared memory hang on them, and has no reason to run. So it is asked when
 * memory is used up, and when what blocks hold has grown to a bound that follows what was alive after the last time.
 * Any thread; one at a time collects.
 */
final class Garbage {
  /** Less is not worth a collection, unless it is a large part of what the job has. */
  private static final long SMALLEST_MARK = 64L << 20;

  /** What one rank may hold of its even share of the job's memory before it asks, so that rings find room too. */
  private static final int PART = 2;

  /** Pauses after a collection double from one millisecond: half a second together, as for the JDK's direct buffers. */
  private static final int PAUSES = 9;

  /** Pauses of one millisecond where nobody is in need. */
  private static final int SHORT_PAUSES = 10;

  private final LongSupplier held;
  private final long share;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long mark;

  /**
   * Begins with nothing held.
   *
   * @param held how much blocks hold, alive or not
   * @param limit what the job has
   * @param ranks how many share it
   */
  Garbage(LongSupplier held, long limit, int ranks) {
    this.held = held;
    this.share = limit / ranks / PART;
    mark();
  }

  /** An attempt to take memory. */
  interface Attempt<T> {
    /** Returns null when there is no memory. */
    T make();
  }

  /** Collects when much is held; returns soon also when all of it is alive. */
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
   * Collects for somebody who has found no memory, and tries again while memory comes back.
   *
   * @return what the attempt made, or null when that much is alive
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
