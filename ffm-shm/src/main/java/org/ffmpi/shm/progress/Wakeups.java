// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.ParkedRanks;
import org.ffmpi.shm.segment.RankLayout;

/** Wakes ranks that sleep on their wait word. Any thread that holds a lock of the rank or a share of the segment. */
public final class Wakeups {
  private final JobSegment segment;
  private final Runnable binding;

  /** Null where ranks are processes. */
  private final ParkedRanks parked;

  private final AtomicBoolean linkAsked = new AtomicBoolean();
  private final AtomicBoolean bindAsked = new AtomicBoolean();
  private final AtomicLong woken = new AtomicLong();
  private volatile boolean closed;

  /**
   * Creates the wake-ups of one rank.
   *
   * @param segment the job's segment
   * @param binding binds the rank's first thread to a core; runs once, after {@link #bindThread}
   */
  public Wakeups(JobSegment segment, Runnable binding) {
    this.segment = segment;
    this.parked = segment.parked();
    this.binding = binding;
  }

  /**
   * Wakes a rank if it sleeps. Two loads in the usual case, and no fence, for the reason given at {@link Sleeper}.
   *
   * @param block address of the rank's block
   */
  public void wake(long block) {
    if (RankLayout.getOpaqueWait(block) != 0) {
      wakeSleeper(block);
    }
  }

  private void wakeSleeper(long block) {
    if (parked != null) {
      if (RankLayout.casWaitToAwake(block)) {
        woken.getAndIncrement();
        parked.wake(segment.rankOf(block));
      }
    } else if (!PosixLoader.isReady()) {
      link(); // afterwards wakes all sleeping ranks
    } else if (RankLayout.casWaitToAwake(block)) {
      woken.getAndIncrement();
      Posix.futexWake(RankLayout.waitAddress(block));
    }
  }

  /**
   * Returns how many sleeping ranks this one has woken.
   *
   * @return their number
   */
  public long count() {
    return woken.get();
  }

  /** Wakes all ranks that sleep. */
  public void wakeAll() {
    for (int rank = 0; rank < segment.ranks(); rank++) {
      wake(segment.rankBlock(rank));
    }
  }

  /** Links the C library in the background and then wakes all ranks; only the first call counts. */
  void link() {
    once(linkAsked, this::wakeAll);
  }

  /** Binds the rank's first thread in the background; only the first call counts. */
  void bindThread() {
    once(bindAsked, binding);
  }

  private void once(AtomicBoolean done, Runnable action) {
    if (parked == null && !done.get() && done.compareAndSet(false, true)) {
      PosixLoader.whenReady(() -> whileOpen(action));
    }
  }

  private void whileOpen(Runnable action) {
    if (!closed && segment.tryRetain()) {
      try {
        action.run();
      } finally {
        segment.release();
      }
    }
  }

  /** Cancels all wake-ups that wait for the C library. */
  public void close() {
    closed = true;
  }
}
