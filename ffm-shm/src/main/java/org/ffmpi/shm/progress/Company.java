// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.ArrayList;
import java.util.List;

/**
 * All progress of one rank, in its job and in each meeting that it takes part in. Who polls for one polls for all, so
 * that a rank that waits in one of them still answers in the others. A rank without meetings has none of this.
 *
 * <p>No thread waits for the lock of one while it holds that of another.
 */
public final class Company {
  private final List<RankProgress> all = new ArrayList<>();

  /**
   * Begins with the progress of the job.
   *
   * @param home the rank's progress in its job
   */
  public Company(RankProgress home) {
    all.add(home);
  }

  /**
   * Adds the progress of a meeting.
   *
   * @param meeting the rank's progress there
   */
  public synchronized void add(RankProgress meeting) {
    all.add(meeting);
    tell();
  }

  /**
   * Removes the progress of a meeting that the rank leaves.
   *
   * @param meeting the rank's progress there
   */
  public synchronized void remove(RankProgress meeting) {
    all.remove(meeting);
    meeting.setElsewhere(null);
    tell();
  }

  private void tell() {
    for (RankProgress each : all) {
      RankProgress[] others = all.stream().filter(other -> other != each).toArray(RankProgress[]::new);
      each.setElsewhere(others.length == 0 ? null : others);
    }
  }
}
