// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobSegment;

/** A rank in a meeting. Its process has another engine, that of its job, whose end is that of the process. */
final class MeetingRank implements RankRuntime {
  private final JobSegment segment;
  private final JobAbort home;

  MeetingRank(JobSegment segment, JobAbort home) {
    this.segment = segment;
    this.home = home;
  }

  @Override
  public boolean inThreads() {
    return segment.parked() != null;
  }

  @Override
  public void bind() {}

  @Override
  public int[] boundTo() {
    return new int[0];
  }

  @Override
  public String describe() {
    return ", in a meeting";
  }

  @Override
  public void onAborted(boolean first, int code, String reason) {
    home.abort(code, reason);
  }

  @Override
  public void onLeft() {
    MeetingWatch.releaseLater(segment);
  }
}
