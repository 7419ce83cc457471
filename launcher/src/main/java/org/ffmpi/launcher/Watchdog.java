// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import org.ffmpi.base.Settings;
import org.ffmpi.shm.diagnosis.Standstill;

/** Looks now and then whether a job stands still. Used by the thread that supervises the job. */
final class Watchdog {
  private final int seconds;
  private final boolean ends;
  private final Standstill standstill;
  private long lastLook = System.nanoTime();

  private Watchdog(int seconds, boolean ends) {
    this.seconds = seconds;
    this.ends = ends;
    this.standstill = new Standstill(seconds * 1_000_000_000L);
  }

  /** Returns the watchdog that the settings ask for, or null. */
  static Watchdog of(Settings settings) {
    int seconds = Standstill.WATCHDOG.get(settings);
    return seconds == 0 ? null : new Watchdog(seconds, Standstill.WATCHDOG_ENDS.get(settings));
  }

  /** Looks at the job, unless that was done just before; true once per standstill. */
  boolean barks(RankStates states) {
    long now = System.nanoTime();
    if (now - lastLook < Standstill.LOOK_NANOS) {
      return false;
    }
    lastLook = now;
    return states.isNew(standstill);
  }

  /** Says what the ranks wait for. */
  String text(RankStates states) {
    return Standstill.headline("mpirun: ", seconds) + states.diagnosis();
  }

  /** Returns how the job ends because of that, or null when it goes on. */
  JobEnd end() {
    return ends
        ? new JobEnd(
            Job.TIMED_OUT, "nothing had moved for " + seconds + " s; what the ranks wait for is above", JobEnd.NOBODY,
            true)
        : null;
  }
}
