// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import org.ffmpi.trace.model.CallKind;

/**
 * The time of one rank by its use, in nanoseconds, from the end of its {@code init} on.
 *
 * @param rank its number
 * @param computing time between calls
 * @param waiting time in calls that waited for other ranks
 * @param moving the other time in calls: moving data, and the calls' own cost
 * @param calls how many calls there are
 */
public record RankTimes(int rank, long computing, long waiting, long moving, long calls) {
  /**
   * Returns the whole time.
   *
   * @return nanoseconds
   */
  public long total() {
    return computing + waiting + moving;
  }

  static RankTimes of(JobLanes lanes, int place, CallWaits waits) {
    JobLane lane = lanes.get(place);
    long from = Long.MIN_VALUE;
    long busy = 0;
    long waiting = 0;
    long begin = Long.MIN_VALUE;
    for (int i = 0; i < lane.size(); i++) {
      if (lane.call(i).kind() == CallKind.INIT) {
        begin = Math.max(begin, lane.end(i));
        from = Math.max(from, begin);
      } else {
        begin = begin == Long.MIN_VALUE ? lane.start(i) : begin;
        busy += Math.max(0, lane.end(i) - Math.max(lane.start(i), from));
        from = Math.max(from, lane.end(i));
        waiting += waits.waited(place, i);
      }
    }
    long total = begin == Long.MIN_VALUE ? 0 : Math.max(0, from - begin);
    waiting = Math.min(waiting, busy); // calls of several threads may wait at once
    return new RankTimes(lane.rank(), total - busy, waiting, busy - waiting, lane.size());
  }
}
