// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Invocation;
import org.ffmpi.launcher.request.RecordedRun;
import org.ffmpi.shm.diagnosis.Standstill;

/** The search for a standstill of a job. Used by the thread that supervises the job. */
public final class Watchdog {
  /** Seconds of a standstill after which a user at a terminal is told how to look into the job. */
  private static final int REMINDER_SECONDS = 10;

  private final int seconds;
  private final boolean ends;
  private final boolean reminds;
  private final boolean inCalls;
  private final Standstill standstill;
  private final Settings settings;
  private long polledAt = System.nanoTime();

  /** Whether the last poll has looked at the ranks. */
  private boolean looked;

  /** Set once the one line of a reminder has been printed. */
  private boolean done;

  private Watchdog(int seconds, boolean ends, boolean reminds, boolean inCalls, Settings settings) {
    this.settings = settings;
    this.seconds = seconds;
    this.ends = ends;
    this.reminds = reminds;
    this.inCalls = inCalls;
    this.standstill = new Standstill(seconds * 1_000_000_000L);
  }

  /**
   * Returns the watchdog of a job with these settings. Without one a user at a terminal gets one line, once, when all
   * ranks have waited in calls for ten seconds.
   *
   * @param settings the settings of the job
   * @param atTerminal whether its output goes to a terminal
   * @return null when nothing is to be said
   */
  public static Watchdog of(Settings settings, boolean atTerminal) {
    int seconds = Standstill.seconds(settings);
    if (seconds > 0) {
      return new Watchdog(
          seconds, Standstill.ends(settings), false, Standstill.isOfCheck(settings), settings);
    }
    return atTerminal ? new Watchdog(REMINDER_SECONDS, false, true, true, settings) : null;
  }

  /** Polls the job, unless that was done just before; returns true once per standstill. */
  boolean hasFound(RankStates states) {
    long now = System.nanoTime();
    looked = false;
    if (done || now - polledAt < Standstill.LOOK_NANOS) {
      return false;
    }
    polledAt = now;
    looked = true;
    boolean found = states.isNew(standstill) && (!inCalls || states.allWaitInCalls());
    done = found && reminds;
    return found;
  }

  /** Describes what the ranks wait for. */
  String report(RankStates states) {
    if (reminds) {
      return "mpirun: all ranks have waited for " + seconds + " s; " + Invocation.mpistat() + " "
          + ProcessHandle.current().pid() + " shows what for\n";
    }
    String recorded = RecordedRun.hint(settings);
    return Standstill.headline("mpirun: ", seconds) + states.diagnosis()
        + (recorded == null ? "" : "mpirun: " + recorded + "\n");
  }

  /**
   * Returns how the job ends because of a standstill that has been reported and lasts; null when it continues, as where
   * a program waits elsewhere. The account of a rank cannot be read while it is written, so that the end may be found
   * some looks after the report.
   */
  JobEnd end(RankStates states) {
    return ends && looked && standstill.isReported() && states.allWaitInCalls()
        ? new JobEnd(
            JobEnd.TIMED_OUT, "nothing had moved for " + seconds + " s; what the ranks wait for is above",
            JobEnd.NO_RANK, true)
        : null;
  }
}
