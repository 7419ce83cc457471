// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.diagnosis.Standstill;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/** The states of the ranks in the job's shared memory, for the supervision of the job. */
interface RankStates extends AutoCloseable {
  /** How far a rank has come. */
  enum Progress {
    /** It has not joined: perhaps it will, perhaps it never uses MPI. */
    OUTSIDE,
    /** It has joined and not finalized. */
    INSIDE,
    /** It has finalized, or has closed all that it had begun and its process goes on. */
    FINALIZED,
    /** It has said itself that it failed. */
    FAILED
  }

  /**
   * An early end that a rank asked for.
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
   * Returns the early end that was asked for first.
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
   * Looks whether the job has stood still for a while.
   *
   * @param standstill remembers earlier looks
   * @return true once per standstill
   */
  boolean isNew(Standstill standstill);

  @Override
  void close();

  /**
   * The states as they lie in a job segment.
   *
   * @param segment the segment, closed with this
   * @param programs the programs that were compiled for this job, discarded with this
   */
  record OfSegment(JobSegment segment, CompiledPrograms programs) implements RankStates {
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
      segment.ends().markDead(rank, exitCode); // those that sleep look now and then
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
      programs.discard();
    }
  }
}
