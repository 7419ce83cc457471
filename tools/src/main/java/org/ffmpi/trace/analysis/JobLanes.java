// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;

/** The lanes of a job, in the order of the ranks, and the time that they cover. Immutable. */
public final class JobLanes {
  private final List<JobLane> lanes = new ArrayList<>();
  private final Map<Integer, Integer> places = new HashMap<>();
  private final long start;
  private final long end;

  JobLanes(JobRecording job) {
    long first = Long.MAX_VALUE;
    long last = job.end();
    for (RankRecording rank : job.ranks()) {
      for (TracedCall call : rank.calls()) {
        first = Math.min(first, call.start() + rank.clockOffset());
        last = Math.max(last, (call.isFinished() ? call.end() : call.start()) + rank.clockOffset());
      }
    }
    start = first == Long.MAX_VALUE ? 0 : first;
    end = Math.max(start, last);
    for (RankRecording rank : job.ranks()) {
      places.put(rank.rank(), lanes.size());
      lanes.add(new JobLane(rank, end));
    }
  }

  /**
   * Returns the number of lanes.
   *
   * @return how many ranks left a recording
   */
  public int size() {
    return lanes.size();
  }

  /**
   * Returns a lane.
   *
   * @param lane its place
   * @return the lane
   */
  public JobLane get(int lane) {
    return lanes.get(lane);
  }

  /**
   * Returns the lane of a rank.
   *
   * @param rank the rank as a peer of the world
   * @return the lane's place, or -1 for a rank without a recording
   */
  public int of(int rank) {
    return places.getOrDefault(rank, -1);
  }

  /**
   * Returns when the first call began.
   *
   * @return nanoseconds on the common clock
   */
  public long start() {
    return start;
  }

  /**
   * Returns when the last call ended.
   *
   * @return nanoseconds on the common clock
   */
  public long end() {
    return end;
  }
}
