// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.util.List;
import java.util.stream.IntStream;
import org.ffmpi.shm.account.WorkDone;
import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.diagnosis.Standstill;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/**
 * The states of the ranks in the job's segment, for the supervision of the job.
 *
 * @param segment the segment, closed with this
 * @param afterwards runs when this is closed
 */
public record RankStates(JobSegment segment, Runnable afterwards) implements AutoCloseable {
  /** The stages of a rank. */
  public enum Progress {
    /** It has not joined: perhaps it will, perhaps it never uses MPI. */
    OUTSIDE,
    /** It has joined and not finalized. */
    INSIDE,
    /** It has finalized, or has closed all that it had begun while its process goes on. */
    FINALIZED,
    /** It has reported its own failure. */
    FAILED
  }

  /**
   * An early end that a rank has requested.
   *
   * @param rank the rank, or -1
   * @param code exit code for the job
   * @param reason one line
   */
  public record Abort(int rank, int code, String reason) {}

  /** Returns the stage of a rank. */
  Progress progress(int rank) {
    return switch (segment.state(rank)) {
      case RankLayout.EMPTY -> Progress.OUTSIDE;
      case RankLayout.LEAVING, RankLayout.FINALIZED -> Progress.FINALIZED;
      case RankLayout.DEAD -> Progress.FAILED;
      default -> Progress.INSIDE;
    };
  }

  /** Returns the early end that was requested first, or null while there is none. */
  Abort abort() {
    String reason = segment.abortReason();
    return reason == null ? null : new Abort(segment.abortRank(), segment.abortCode(), reason);
  }

  /** Publishes to the living ranks that a rank's process has ended and the job continues. */
  void publishEnd(int rank) {
    segment.ends().markEnded(rank);
  }

  /** Publishes to the living ranks that a rank has died and the job ends; the reason is one line. */
  void publishFatalDeath(int rank, int exitCode, String reason) {
    requestEnd(exitCode, reason);
    segment.ends().markDead(rank, exitCode);
  }

  /** Publishes to the living ranks that a rank has died and the job continues; ranks that sleep poll now and then. */
  void publishDeath(int rank, int exitCode) {
    segment.ends().markDead(rank, exitCode);
  }

  /** Returns whether the job outlives its dead: the setting ffmpi.survive. */
  boolean survives() {
    return segment.survives();
  }

  /** Publishes to the living ranks that the launcher ends the job; the reason is one line. */
  void requestEnd(int exitCode, String reason) {
    segment.requestAbort(-1, exitCode, reason);
  }

  /** Returns the number of a port at which a rank waits for the launcher, once; 0 when none does. */
  long heardCall() {
    return segment.heardCall();
  }

  /** Returns what the ranks wait for, and why nothing moves, in whole lines. */
  String diagnosis() {
    return Diagnosis.report(JobState.read(segment), System.nanoTime());
  }

  /** Returns whether a rank has waited for long. */
  boolean hasLongWaits() {
    return JobState.read(segment).ranks().stream().anyMatch(JobState.RankFacts::waits);
  }

  /** Returns whether all ranks that take part wait in calls of MPI. */
  boolean allWaitInCalls() {
    return JobState.read(segment).allWaitInCalls();
  }

  /** Returns whether the job has just come to a standstill: true once for each. */
  boolean isNew(Standstill standstill) {
    return standstill.isNew(JobState.read(segment), System.nanoTime());
  }

  /** Returns what the ranks have reported of their work, in their order. Any thread, also after {@link #close}. */
  List<WorkDone> workDone() {
    if (!segment.tryRetain()) {
      return List.of();
    }
    try {
      return WorkDone.of(IntStream.range(0, segment.ranks()).mapToLong(segment::accountBlock).toArray());
    } finally {
      segment.release();
    }
  }

  @Override
  public void close() {
    segment.close();
    afterwards.run();
  }
}
