// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.shm.segment.JobSegment;

/** A rank that is a thread among others: its end is its world's business alone. */
final class ThreadHome implements RankHome {
  private final JobSegment segment;

  ThreadHome(JobSegment segment) {
    this.segment = segment;
  }

  @Override
  public boolean inThreads() {
    return true;
  }

  @Override
  public void onLinked() {}

  @Override
  public int[] boundTo() {
    return new int[0];
  }

  @Override
  public void aborted(boolean first, int code, String reason) {}

  @Override
  public void left(ShmEngine engine) {
    segment.release();
  }
}
