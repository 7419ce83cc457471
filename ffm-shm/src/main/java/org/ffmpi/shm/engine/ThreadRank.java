// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.List;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobSegment;

/** A rank that is a thread beside other ranks, whose end ends no process. */
final class ThreadRank implements RankRuntime {
  private final JobSegment segment;
  private final List<JobSegment> otherNodes;
  private final Runnable onLeft;

  /** The programs of all ranks of this node, in the order in which they join. */
  private final List<Program> programs;

  private Program program;

  ThreadRank(JobSegment segment, List<JobSegment> otherNodes, List<Program> programs, Runnable onLeft) {
    this.segment = segment;
    this.otherNodes = otherNodes;
    this.programs = programs;
    this.onLeft = onLeft;
  }

  @Override
  public void onJoined(Program joined) {
    program = joined;
    programs.add(joined);
  }

  @Override
  public void setThread(Thread thread) {
    program.setThread(thread);
  }

  @Override
  public void updatePlaces() {
    programs.forEach(Program::updatePlace);
  }

  @Override
  public boolean inThreads() {
    return true;
  }

  @Override
  public void bind() {}

  @Override
  public int[] boundTo() {
    return new int[0];
  }

  @Override
  public void onAborted(boolean first, int code, String reason) {
    for (JobSegment other : otherNodes) {
      if (first && other.tryRetain()) {
        other.requestAbort(-1, code, reason);
        other.release();
      }
    }
  }

  @Override
  public void onLeft() {
    onLeft.run();
    segment.release();
  }
}
