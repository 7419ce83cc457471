// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.spi.RunSettings;

/** Detects that a job has not moved for some time. One thread calls it periodically. */
public final class Standstill {
  /** {@code ffmpi.watchdog}: duration after which a standstill is reported. */
  public static final Setting<Integer> WATCHDOG =
      Setting.ofInt(
          "ffmpi.watchdog", 0, 0, Integer.MAX_VALUE, Setting.Scope.JOB,
          "seconds without any movement, all ranks waiting, after which it is printed once what they wait for; 0:"
              + " never, but with --check full after two seconds, which end the job");

  /** {@code ffmpi.watchdog.ends}: whether the job then ends. */
  public static final Setting<Boolean> WATCHDOG_ENDS =
      Setting.ofBoolean(
          "ffmpi.watchdog.ends", false, Setting.Scope.JOB,
          "whether a job that the watchdog has reported is ended, with exit code 124, if all ranks wait in calls");

  /** Seconds of a standstill after which a job that is checked ends, unless the settings name others. */
  private static final int CHECKED_SECONDS = 2;

  /** Time between two calls. */
  public static final long LOOK_NANOS = 250_000_000;

  /** The facts of a rank that are constant while nothing moves. */
  private record Face(JobState.Stage stage, List<Long> since, RankAccount.Traffic traffic, String place) {}

  private final long limitNanos;
  private List<Face> last;
  private long lastChange;
  private boolean reported;

  /**
   * Creates a detector without history.
   *
   * @param limitNanos duration of a standstill
   */
  public Standstill(long limitNanos) {
    this.limitNanos = limitNanos;
  }

  /**
   * Returns how long a standstill lasts before it is reported.
   *
   * @param settings the settings of the job
   * @return seconds; 0 for never
   */
  public static int seconds(Settings settings) {
    return isOfCheck(settings) ? CHECKED_SECONDS : WATCHDOG.get(settings);
  }

  /**
   * Returns whether a standstill in calls ends the job.
   *
   * @param settings the settings of the job
   * @return true when it does
   */
  public static boolean ends(Settings settings) {
    return isOfCheck(settings) || WATCHDOG_ENDS.get(settings);
  }

  /**
   * Returns whether a standstill is looked for because everything is checked, and not because a setting asks for it.
   * Then one counts only where all ranks wait in calls.
   *
   * @param settings the settings of the job
   * @return true when the watchdog runs by default
   */
  public static boolean isOfCheck(Settings settings) {
    return WATCHDOG.get(settings) == 0 && RunSettings.CHECK.get(settings).isFull();
  }

  /**
   * Returns the line above a report.
   *
   * @param who prefix that names the reporter
   * @param seconds duration of the standstill
   * @return a whole line
   */
  public static String headline(String who, int seconds) {
    return who + "nothing has moved for " + seconds
        + " s; what the ranks wait for, numbered as in MPI_COMM_WORLD (setting ffmpi.watchdog):\n";
  }

  /**
   * Returns whether the standstill that was found last has lasted until the last comparison.
   *
   * @return true from the moment in which {@link #isNew} is true until something moves
   */
  public boolean isReported() {
    return reported;
  }

  /**
   * Compares the job's state with the last one.
   *
   * @param job its state
   * @param now the time, by the machine's monotonic clock in nanoseconds
   * @return true once per standstill: when it has lasted for the limit
   */
  public boolean isNew(JobState job, long now) {
    List<Face> faces = new ArrayList<>();
    for (JobState.RankFacts rank : job.ranks()) {
      RankAccount account = rank.account();
      faces.add(
          account == null ? null
              : new Face(
                  rank.stage(), account.waits().stream().map(RankAccount.Wait::since).toList(), account.traffic(),
                  account.place().text()));
    }
    if (!job.allWait() || !faces.equals(last)) {
      last = faces;
      lastChange = now;
      reported = false;
      return false;
    }
    if (reported || now - lastChange < limitNanos) {
      return false;
    }
    reported = true;
    return true;
  }
}
