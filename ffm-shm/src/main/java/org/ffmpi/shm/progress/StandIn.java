// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.shm.segment.JobSegment;

/**
 * A thread that polls for the ranks of this process whose programs make no calls. Ranks of other nodes need their
 * answers: a send that is cancelled ends although its receiver computes or sleeps, and buffers of pieces are not held
 * for the time that a sender is away.
 *
 * <p>It looks at each rank a few times a second and polls only if no call has since. Unlike {@link ProgressThread} it
 * sees to it that things end, not that they end soon.
 */
public final class StandIn {
  /** Time without a poll of the program, after which the thread polls. */
  private static final long REST_NANOS = 50_000_000;

  /** Nap between polls that move something, as a long message does. */
  private static final long NAP_NANOS = 1_000_000;

  /** Most polls of a rank in a row. */
  private static final int POLLS = 64;

  /** The ranks of this process; guarded by itself, as the thread. */
  private static final List<StandIn> RANKS = new ArrayList<>();

  private static boolean isRunning;

  private final RankProgress progress;
  private final JobAbort end;
  private final JobSegment segment;
  private final int self;

  /** Number of looks of the rank at the last visit. */
  private long looks;

  private StandIn(RankProgress progress, JobAbort end, JobSegment segment, int self) {
    this.progress = progress;
    this.end = end;
    this.segment = segment;
    this.self = self;
  }

  /**
   * Polls for a rank until it leaves.
   *
   * @param progress the rank's progress
   * @param end the job's end
   * @param segment the memory of its node
   * @param self the rank
   */
  public static void serve(RankProgress progress, JobAbort end, JobSegment segment, int self) {
    synchronized (RANKS) {
      RANKS.add(new StandIn(progress, end, segment, self));
      if (!isRunning) {
        isRunning = true;
        Thread.ofPlatform().daemon().name("ffmpi-stand-in").start(StandIn::run);
      }
    }
  }

  private static void run() {
    while (true) {
      List<StandIn> ranks;
      synchronized (RANKS) {
        if (RANKS.isEmpty()) {
          isRunning = false;
          return;
        }
        ranks = List.copyOf(RANKS);
      }
      boolean moved = false;
      for (StandIn rank : ranks) {
        moved |= rank.visit();
      }
      LockSupport.parkNanos(moved ? NAP_NANOS : REST_NANOS);
    }
  }

  /** Polls if the rank has not since the last visit; returns whether something moved. */
  private boolean visit() {
    if (!segment.tryRetain()) {
      leave();
      return false;
    }
    try {
      if (end.isOver()) {
        leave();
        return false;
      }
      if (progress.lookCount() != looks) {
        looks = progress.lookCount();
        return false;
      }
      return poll();
    } finally {
      segment.release();
    }
  }

  private boolean poll() {
    boolean moved = false;
    try {
      for (int polls = POLLS; polls > 0 && progress.pollForAbsent() > 0; polls--) {
        moved = true;
      }
    } catch (RuntimeException | Error e) {
      leave();
      if (!end.isOver()) {
        end.abort(ErrorClass.ERR_INTERN.code(), "a poll for rank " + self + ", which made no call, failed: " + e);
      }
    }
    looks = progress.lookCount();
    return moved;
  }

  private void leave() {
    synchronized (RANKS) {
      RANKS.remove(this);
    }
  }
}
