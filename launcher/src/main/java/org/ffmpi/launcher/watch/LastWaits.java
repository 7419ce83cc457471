// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

/**
 * The waits of a job's ranks when a signal came to mpirun. They are noted before any rank counts as dead because of
 * that signal. Used by the thread that supervises the job, but for {@link #setSignalled}.
 */
final class LastWaits {
  private final RankStates states;
  private volatile boolean signalled;

  /** Null before it is noted; empty where no rank has waited for long. */
  private String noted;

  LastWaits(RankStates states) {
    this.states = states;
  }

  /** Called by the thread that has the signal. */
  void setSignalled() {
    signalled = true;
  }

  /** Notes the waits if a signal has come. */
  void note() {
    if (signalled) {
      noteNow();
    }
  }

  private void noteNow() {
    if (noted == null) {
      noted =
          states.hasLongWaits()
              ? "mpirun: what the ranks waited for when the signal came, numbered as in MPI_COMM_WORLD:\n"
                  + states.diagnosis()
              : "";
    }
  }

  /** Notes the waits when a rank ends by an interrupt, which a terminal sends to the ranks and to mpirun at once. */
  void noteBeforeEnd(int exitCode) {
    if (signalled || exitCode == Signals.EXIT_BASE + Signals.INT) {
      noteNow();
    }
  }

  /** Returns whole lines about a job that a signal has ended; otherwise nothing. */
  String text() {
    return signalled && noted != null ? noted : "";
  }
}
