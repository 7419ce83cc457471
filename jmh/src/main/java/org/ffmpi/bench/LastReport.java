// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/**
 * The report at the end of a campaign. It is made once: by the campaign's thread when measuring has ended, well or not,
 * or by a shutdown hook when a signal ends this JVM earlier.
 */
final class LastReport {
  private final Runnable report;
  private boolean made;

  private LastReport(Runnable report) {
    this.report = report;
  }

  /** Arranges that a report is made at the latest when this JVM ends. */
  static LastReport of(Runnable report) {
    LastReport last = new LastReport(report);
    Runtime.getRuntime().addShutdownHook(new Thread(last::make, "bench-report"));
    return last;
  }

  /**
   * Saves the results before the end; does nothing when the report has been made. A report waits for this, since the
   * end of the JVM would cut a file that another thread writes.
   */
  synchronized void before(Runnable keeping) {
    if (!made) {
      keeping.run();
    }
  }

  /** Makes the report unless that has been done; a report under way in another thread is waited for. */
  synchronized void make() {
    if (!made) {
      made = true;
      report.run();
    }
  }
}
