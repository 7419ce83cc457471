// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** Wakes ranks that sleep on their wait word. Any thread that holds a lock of the rank or a share of the segment. */
public final class Wakeups {
  private final JobSegment segment;
  private final Runnable afterLinking;
  private final Runnable linked = this::onLinked;
  private volatile boolean closed;

  /**
   * Creates the wake-ups of one rank.
   *
   * @param segment the job's segment
   * @param afterLinking runs once the C library's functions can be used
   */
  public Wakeups(JobSegment segment, Runnable afterLinking) {
    this.segment = segment;
    this.afterLinking = afterLinking;
  }

  /**
   * Wakes a rank if it sleeps. Two loads in the usual case, and no fence: {@link Sleeper} says why none is needed.
   *
   * @param block address of the rank's block
   */
  public void wake(long block) {
    if (RankLayout.getOpaqueWait(block) != 0) {
      wakeSleeper(block);
    }
  }

  private void wakeSleeper(long block) {
    if (!PosixLoader.isReady()) {
      link(); // then all that sleep are woken
    } else if (RankLayout.casWaitToAwake(block)) {
      Posix.futexWake(RankLayout.waitAddress(block));
    }
  }

  /** Wakes all ranks that sleep. */
  public void wakeAll() {
    for (int rank = 0; rank < segment.ranks(); rank++) {
      wake(segment.rankBlock(rank));
    }
  }

  /** Has the C library linked in the background. */
  void link() {
    PosixLoader.whenReady(linked);
  }

  private void onLinked() {
    if (!closed && segment.tryRetain()) {
      try {
        wakeAll();
        afterLinking.run();
      } finally {
        segment.release();
      }
    }
  }

  /** Ends all wake-ups that wait for the C library. */
  public void close() {
    closed = true;
  }
}
