// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.List;
import org.ffmpi.shm.progress.ProgramPlace;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.segment.JobSegment;

/** A rank that is a thread beside other ranks, whose end ends no process. */
final class ThreadRank implements RankRuntime {
  private final JobSegment segment;
  private final List<JobSegment> otherNodes;
  private final Runnable onLeft;

  /** The places of the programs of all ranks of this node, in the order in which they join. */
  private final List<ProgramPlace> places;

  private ProgramPlace place;

  ThreadRank(JobSegment segment, List<JobSegment> otherNodes, List<ProgramPlace> places, Runnable onLeft) {
    this.segment = segment;
    this.otherNodes = otherNodes;
    this.places = places;
    this.onLeft = onLeft;
  }

  @Override
  public void onJoined(ProgramPlace joined) {
    place = joined;
    places.add(joined);
  }

  @Override
  public void setProgram(Thread thread) {
    place.setProgram(thread);
  }

  @Override
  public void updatePlaces() {
    places.forEach(ProgramPlace::update);
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
