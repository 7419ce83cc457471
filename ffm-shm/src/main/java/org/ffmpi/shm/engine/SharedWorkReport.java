// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.shm.account.WorkWriter;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.WorkReport;

/** The reports of a rank's program to its launcher, through the rank's page of the segment. Any thread. */
final class SharedWorkReport implements WorkReport {
  private final JobSegment segment;
  private final WorkWriter writer;

  SharedWorkReport(JobSegment segment, int self) {
    this.segment = segment;
    this.writer = new WorkWriter(segment.accountBlock(self));
  }

  @Override
  public synchronized void report(String what, long done, long total) {
    if (segment.tryRetain()) {
      try {
        writer.write(what, done, total, System.nanoTime());
      } finally {
        segment.release();
      }
    }
  }
}
