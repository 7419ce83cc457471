// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.ParkedRanks;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Incidents;

/**
 * Lets the rank's poller sleep on its wait word, in the kernel or, where ranks are threads of this JVM, parked.
 *
 * <p><b>No fence on the sender's path.</b> A sender publishes with a release store and then reads the receiver's wait
 * word, with no fence between. A receiver on its way to sleep may miss a message whose sender misses the announcement.
 * Both happen only while the sender's store is still in the store buffer of its core, which lasts microseconds. The
 * first sleep therefore lasts {@value #FIRST_SLEEP_NANOS} ns at the longest, and the word stays announced over all
 * further sleeps, where a later store sees it. The decision and its measurements are in
 * {@code docs/decisions/0004-waiting.md}.
 */
final class Sleeper {
  static final long FIRST_SLEEP_NANOS = 1_000_000;

  /** Longest later sleep, after which the thread checks for the end of the job and for departed peers. */
  private static final long LATER_SLEEP_NANOS = 20_000_000;

  /** Longest sleep with peers on other nodes or in meetings, which do not wake a rank that sleeps here. */
  private static final long UNWOKEN_NANOS = 100_000;

  /** Nap while libc is not linked, and of virtual threads, which must not block their carrier in a system call. */
  private static final long NAP_NANOS = 50_000;

  /**
   * Naps after which libc is linked, some 100 ms. Linking makes the JVM generate and compile hundreds of methods; begun
   * while ranks wait for the last one to start, it would take the cores from their first calls.
   */
  private static final int NAPS_BEFORE_LINKING = 1_000;

  private final RankProgress progress;
  private final JobSegment segment;
  private final Wakeups wakeups;
  private final int self;
  private final long ownBlock;

  /** Null where ranks are processes. */
  private final ParkedRanks parked;

  /** Naps so far; the poller's. */
  private int naps;

  private final WaitCounts counts;
  private final Incidents incidents;

  Sleeper(
      RankProgress progress, JobSegment segment, Wakeups wakeups, int self, WaitCounts counts, Incidents incidents) {
    this.progress = progress;
    this.counts = counts;
    this.incidents = incidents;
    this.segment = segment;
    this.wakeups = wakeups;
    this.self = self;
    this.parked = segment.parked();
    this.ownBlock = segment.rankBlock(self);
  }

  /** Binds the rank's first thread to a core, in the background. */
  void bindThread() {
    wakeups.bindThread();
  }

  /** Returns whether a sleeping thread is woken by what it waits for, rather than by the end of a nap. */
  boolean wakesAtOnce() {
    return parked != null || PosixLoader.isReady() && !Thread.currentThread().isVirtual();
  }

  /** Sleeps until a peer or another thread of this rank wakes it, the condition holds, or a sleep has ended. */
  void sleep(BooleanSupplier condition, long deadline) {
    counts.park();
    long begin = incidents.areHeard() ? System.nanoTime() : 0;
    sleepUncounted(condition, deadline);
    if (begin != 0) {
      incidents.raise(Incident.SLEEP, null, System.nanoTime() - begin, 0, 0);
    }
  }

  private void sleepUncounted(BooleanSupplier condition, long deadline) {
    if (!wakesAtOnce()) {
      if (++naps == NAPS_BEFORE_LINKING) {
        wakeups.link();
      }
      LockSupport.parkNanos(NAP_NANOS);
      return;
    }
    long word = RankLayout.waitAddress(ownBlock);
    RankLayout.setVolatileWait(ownBlock, 1);
    try {
      long later =
          segment.nodes().count() == 1 && !progress.isElsewhere() ? LATER_SLEEP_NANOS : UNWOKEN_NANOS;
      long nanos = Math.min(FIRST_SLEEP_NANOS, later);
      while (progress.pollFindsNothing() && !condition.getAsBoolean() && !segment.isEnded()) {
        if (deadline != Long.MAX_VALUE) {
          nanos = Math.clamp(deadline - System.nanoTime(), 1, nanos);
        }
        int woken = parked != null ? parked.await(self, ownBlock, nanos) : Posix.futexWait(word, 1, nanos);
        checkWord();
        if (woken == 0 || RankLayout.getOpaqueWait(ownBlock) == 0
            || nanos == later || isOver(deadline)) {
          return;
        }
        nanos = later;
      }
    } finally {
      RankLayout.setVolatileWait(ownBlock, 0);
    }
  }

  /** Fails for any other value, for which peers would not wake this rank. */
  private void checkWord() {
    int value = RankLayout.getOpaqueWait(ownBlock);
    if (value != 0 && value != 1) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "the wait word of this rank holds " + value + ", allowed are 0 and 1");
    }
  }

  /** Returns whether a deadline, in the time of {@link System#nanoTime}, has passed; MAX_VALUE never does. */
  static boolean isOver(long deadline) {
    return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
  }
}
