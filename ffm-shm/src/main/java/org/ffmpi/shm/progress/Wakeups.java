// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** Wakes ranks that sleep on their wait word. Any thread that holds a lock of the rank or a share of the segment. */
public final class Wakeups {
  private final JobSegment segment;
  private final Runnable binding;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * Creates the wake-ups of one rank.
   *
   * @param segment the job's segment
   * @param binding binds the rank's first thread to a core; runs once, when the rank has settled
   */
  public Wakeups(JobSegment segment, Runnable binding) {
    this.segment = segment;
    this.binding = binding;
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

  /** Has the C library linked in the background, unless that was asked for before, and then wakes all ranks. */
  void link() {
    once(asked, this::wakeAll);
  }

  /** Has the rank's first thread bound, in the background, unless that was asked for before. */
  void settle() {
    once(settled, binding);
  }

  private void once(AtomicBoolean done, Runnable action) {
    if (!done.get() && done.compareAndSet(false, true)) {
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

  /** Ends all wake-ups that wait for the C library. */
  public void close() {
    closed = true;
  }
}
