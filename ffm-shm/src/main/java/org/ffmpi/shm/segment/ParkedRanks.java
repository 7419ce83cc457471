// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Parks and unparks the pollers of ranks that are threads of one JVM. A poller parks until its wait word is 0, and the
 * thread that sets the word to 0 unparks it. That takes no system call of ours, so it works on every platform and for
 * virtual threads. Any thread.
 */
public final class ParkedRanks {
  private final AtomicReferenceArray<Thread> sleepers;

  ParkedRanks(int ranks) {
    sleepers = new AtomicReferenceArray<>(ranks);
  }

  /**
   * Parks while the wait word of a rank is 1. The word has been set before, so that a thread that wakes the rank finds
   * either this thread or, in this thread, the word changed. An interrupt does not end the sleep, and is kept.
   *
   * @param rank the caller's rank
   * @param block address of the rank's block
   * @param nanos longest sleep
   * @return 0 when woken, else -1
   */
  public int await(int rank, long block, long nanos) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    sleepers.set(rank, Thread.currentThread());
    try {
      while (RankLayout.getOpaqueWait(block) == 1) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return -1;
        }
        LockSupport.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
      return 0;
    } finally {
      sleepers.set(rank, null);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Unparks a rank whose wait word has been set to 0. Never blocks.
   *
   * @param rank the rank
   */
  public void wake(int rank) {
    LockSupport.unpark(sleepers.get(rank));
  }
}
