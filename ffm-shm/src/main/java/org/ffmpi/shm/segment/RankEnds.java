// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The ends of the ranks' processes, which the launcher publishes, and the time from which on other ranks may report
 * them. The report of a bad end should name the rank whose process has ended, and not the rank that notices it first:
 * where a launcher watches, ranks wait a while for the launcher to confirm the end. Any thread.
 */
public final class RankEnds {
  /** How long ranks wait for the launcher to confirm the end of a rank. */
  private static final long CONFIRM_NANOS = 2_000_000_000;

  private final JobSegment segment;

  /** By rank, the time at which this process noticed the end; 0 before; null where no launcher watches the ranks. */
  private final AtomicLongArray noticed;

  RankEnds(JobSegment segment, boolean watched) {
    this.segment = segment;
    this.noticed = watched ? new AtomicLongArray(segment.ranks()) : null;
  }

  /**
   * Records that a rank's process has ended without finalizing, which ends the job unless that outlives its dead. The
   * caller wakes the sleeping ranks.
   *
   * @param rank the dead rank
   * @param exitCode its exit code
   */
  public void markDead(int rank, int exitCode) {
    long block = segment.rankBlock(rank);
    RankLayout.setPlainExit(block, exitCode);
    segment.addFailed(rank);
    RankLayout.setVolatileState(block, RankLayout.DEAD);
    RankLayout.setReleaseEndConfirmed(block);
  }

  /**
   * Records that a rank on another node has finalized; no launcher of this node confirms its end.
   *
   * @param rank the rank
   */
  public void markLeft(int rank) {
    RankLayout.setReleaseEndConfirmed(segment.rankBlock(rank));
  }

  /**
   * Records that a rank's process has ended and that the job continues. A rank that had closed everything it had begun
   * counts as finalized.
   *
   * @param rank the rank
   */
  public void markEnded(int rank) {
    long block = segment.rankBlock(rank);
    RankLayout.casState(block, RankLayout.LEAVING, RankLayout.FINALIZED);
    RankLayout.setReleaseEndConfirmed(block);
  }

  /**
   * Returns whether other ranks may report that a rank has finalized or died.
   *
   * @param rank the rank
   * @return true when it has ended, and the launcher has confirmed that or its time is over
   */
  public boolean hasDeparted(int rank) {
    long block = segment.rankBlock(rank);
    return RankLayout.getAcquireState(block) >= RankLayout.FINALIZED
        && (noticed == null || RankLayout.getAcquireEndConfirmed(block) != 0 || isOverdue(rank));
  }

  private boolean isOverdue(int rank) {
    long now = System.nanoTime() | 1; // 0: not noticed yet
    long since = noticed.get(rank);
    if (since == 0) {
      noticed.compareAndSet(rank, 0, now);
      return false;
    }
    return now - since > CONFIRM_NANOS;
  }
}
