// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The ends of the ranks' processes, which the launcher publishes, and when other ranks may speak of them. A rank whose
 * process ends badly is to blame, and not the rank that notices it first: where a launcher watches, ranks leave it to
 * the launcher for a while to say so. Any thread.
 */
public final class RankEnds {
  /** How long the process of a rank that has finalized may take to end before others speak of it. */
  private static final long JUDGEMENT_NANOS = 2_000_000_000;

  private final JobSegment segment;

  /** When this process noticed that a rank has finalized or died; null where no launcher watches the ranks. */
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
    RankLayout.setReleaseJudged(block);
  }

  /**
   * Records that a rank on another node has finalized: nobody here knows more of it.
   *
   * @param rank the rank
   */
  public void markLeft(int rank) {
    RankLayout.setReleaseJudged(segment.rankBlock(rank));
  }

  /**
   * Records that a rank's process has ended and that the job goes on. A rank that had closed all that it had begun
   * counts as finalized.
   *
   * @param rank the rank
   */
  public void markEnded(int rank) {
    long block = segment.rankBlock(rank);
    RankLayout.casState(block, RankLayout.LEAVING, RankLayout.FINALIZED);
    RankLayout.setReleaseJudged(block);
  }

  /**
   * Returns whether other ranks may say that a rank has finalized or died.
   *
   * @param rank the rank
   * @return true when it takes part in nothing more, and the launcher knows or has had its time
   */
  public boolean hasDeparted(int rank) {
    long block = segment.rankBlock(rank);
    return RankLayout.getAcquireState(block) >= RankLayout.FINALIZED
        && (noticed == null || RankLayout.getAcquireJudged(block) != 0 || isOverdue(rank));
  }

  private boolean isOverdue(int rank) {
    long now = System.nanoTime() | 1; // 0: not noticed yet
    long since = noticed.get(rank);
    if (since == 0) {
      noticed.compareAndSet(rank, 0, now);
      return false;
    }
    return now - since > JUDGEMENT_NANOS;
  }
}
