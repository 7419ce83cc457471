// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.diagnosis.Standstill;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** The states of the ranks in the job's shared memory, for the supervision of the job. */
public interface RankStates extends AutoCloseable {
  /** How far a rank has come. */
  enum Progress {
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
  record Abort(int rank, int code, String reason) {}

  /**
   * Returns how far a rank has come.
   *
   * @param rank the rank
   * @return its progress
   */
  Progress progress(int rank);

  /**
   * Returns the early end that was requested first.
   *
   * @return the abort, or null while there is none
   */
  Abort abort();

  /**
   * Publishes to the living ranks that a rank's process has ended and the job goes on.
   *
   * @param rank the rank
   */
  void ended(int rank);

  /**
   * Publishes to the living ranks that a rank has died and the job ends.
   *
   * @param rank the dead rank
   * @param exitCode its exit code
   * @param reason one line
   */
  void died(int rank, int exitCode, String reason);

  /**
   * Publishes to the living ranks that a rank has died, and that the job goes on.
   *
   * @param rank the dead rank
   * @param exitCode its exit code
   */
  void outlived(int rank, int exitCode);

  /**
   * Returns whether the job outlives its dead.
   *
   * @return true with the setting ffmpi.survive
   */
  boolean survives();

  /**
   * Publishes to the living ranks that the launcher ends the job.
   *
   * @param exitCode exit code of the job
   * @param reason one line
   */
  void end(int exitCode, String reason);

  /**
   * Returns what the ranks wait for, and why nothing moves.
   *
   * @return whole lines
   */
  String diagnosis();

  /**
   * Returns whether the job has just come to a standstill.
   *
   * @param standstill remembers earlier calls
   * @return true once per standstill
   */
  boolean isNew(Standstill standstill);

  @Override
  void close();

  /**
   * The states as they lie in a job segment.
   *
   * @param segment the segment, closed with this
   * @param afterwards runs when this is closed
   */
  record OfSegment(JobSegment segment, Runnable afterwards) implements RankStates {
    @Override
    public Progress progress(int rank) {
      return switch (segment.state(rank)) {
        case RankLayout.EMPTY -> Progress.OUTSIDE;
        case RankLayout.LEAVING, RankLayout.FINALIZED -> Progress.FINALIZED;
        case RankLayout.DEAD -> Progress.FAILED;
        default -> Progress.INSIDE;
      };
    }

    @Override
    public Abort abort() {
      String reason = segment.abortReason();
      return reason == null ? null : new Abort(segment.abortRank(), segment.abortCode(), reason);
    }

    @Override
    public void died(int rank, int exitCode, String reason) {
      segment.requestAbort(-1, exitCode, reason);
      segment.ends().markDead(rank, exitCode);
    }

    @Override
    public void ended(int rank) {
      segment.ends().markEnded(rank);
    }

    @Override
    public void outlived(int rank, int exitCode) {
      segment.ends().markDead(rank, exitCode); // ranks that sleep poll now and then
    }

    @Override
    public boolean survives() {
      return segment.survives();
    }

    @Override
    public void end(int exitCode, String reason) {
      segment.requestAbort(-1, exitCode, reason);
    }

    @Override
    public String diagnosis() {
      return Diagnosis.report(JobState.read(segment), System.nanoTime());
    }

    @Override
    public boolean isNew(Standstill standstill) {
      return standstill.isNew(JobState.read(segment), System.nanoTime());
    }

    @Override
    public void close() {
      segment.close();
      afterwards.run();
    }
  }
}
