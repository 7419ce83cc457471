// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.Settings;
import org.ffmpi.connect.ConnectSettings;

/** The processes of a launcher's jobs together, the first one and all that are spawned. Any thread. */
public final class Universe {
  private final AtomicInteger processes;
  private final AtomicInteger jobs = new AtomicInteger();

  /**
   * Begins with the processes of the first job.
   *
   * @param first their number
   */
  public Universe(int first) {
    processes = new AtomicInteger(first);
  }

  /** Counts processes that have been started; fewer than 0 for those that have ended. */
  void add(int number) {
    processes.addAndGet(number);
  }

  /** Returns the number of the next job that is spawned, from 1. */
  int nextJob() {
    return jobs.incrementAndGet();
  }

  /** Returns how many more processes there may be. */
  int slots(Settings settings) {
    int most = ConnectSettings.UNIVERSE.get(settings);
    return most == 0 ? Integer.MAX_VALUE : Math.max(0, most - processes.get());
  }
}
