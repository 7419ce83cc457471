// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import org.ffmpi.base.Settings;
import org.ffmpi.shm.diagnosis.Standstill;

/** The search for a standstill of a job. Used by the thread that supervises the job. */
public final class Watchdog {
  private final int seconds;
  private final boolean ends;
  private final Standstill standstill;
  private long polledAt = System.nanoTime();

  private Watchdog(int seconds, boolean ends) {
    this.seconds = seconds;
    this.ends = ends;
    this.standstill = new Standstill(seconds * 1_000_000_000L);
  }

  /** Returns the watchdog of a job with these settings, or null. */
  public static Watchdog of(Settings settings) {
    int seconds = Standstill.WATCHDOG.get(settings);
    return seconds == 0 ? null : new Watchdog(seconds, Standstill.WATCHDOG_ENDS.get(settings));
  }

  /** Polls the job, unless that was done just before; returns true once per standstill. */
  boolean hasFound(RankStates states) {
    long now = System.nanoTime();
    if (now - polledAt < Standstill.LOOK_NANOS) {
      return false;
    }
    polledAt = now;
    return states.isNew(standstill);
  }

  /** Describes what the ranks wait for. */
  String report(RankStates states) {
    return Standstill.headline("mpirun: ", seconds) + states.diagnosis();
  }

  /** Returns how the job ends because of a standstill; null when it continues, as where a program waits elsewhere. */
  JobEnd end(RankStates states) {
    return ends && states.allWaitInCalls()
        ? new JobEnd(
            JobEnd.TIMED_OUT, "nothing had moved for " + seconds + " s; what the ranks wait for is above",
            JobEnd.NO_RANK, true)
        : null;
  }
}
