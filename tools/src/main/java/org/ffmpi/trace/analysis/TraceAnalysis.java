// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.trace.model.JobRecording;

/**
 * All that is found in the trace of a job.
 *
 * @param job the trace
 * @param lanes its ranks on one clock
 * @param messages the messages of which both ends were recorded
 * @param waits the waits of all calls
 * @param rows the calls by name and place, those that took longest first
 * @param times what each rank did with its time, in the order of the lanes
 * @param sent who sent how much to whom
 * @param findings the sentences
 */
public record TraceAnalysis(
    JobRecording job, JobLanes lanes, List<MatchedMessage> messages, CallWaits waits, List<CallRow> rows,
    List<RankTimes> times, SentBytes sent, Findings findings) {
  /**
   * Analyses a trace.
   *
   * @param job the trace
   * @return what is in it
   */
  public static TraceAnalysis of(JobRecording job) {
    JobLanes lanes = new JobLanes(job);
    List<MatchedMessage> messages = new MessageMatcher(lanes).match();
    CallWaits waits = new CallWaits(lanes, messages);
    List<CallRow> rows = CallTable.of(lanes, waits);
    List<RankTimes> times = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      times.add(RankTimes.of(lanes, lane, waits));
    }
    return new TraceAnalysis(
        job, lanes, messages, waits, rows, times, SentBytes.of(lanes), Findings.of(lanes, waits, rows, times));
  }

  /**
   * Returns what a reader has to know about the trace: how it was recorded, and what is missing from it.
   *
   * @return sentences
   */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(job.notes());
    for (int i = 0; i < lanes.size(); i++) {
      JobLane lane = lanes.get(i);
      long dropped = lane.recording().dropped();
      if (dropped > 0) {
        notes.add("Rank " + lane.rank() + " made more calls than its buffer holds: the first "
            + Quantities.count(dropped) + " are missing.");
      }
      if (!lane.recording().ended()) {
        notes.add("Rank " + lane.rank() + " did not reach its end: its lane shows what it had recorded.");
      }
    }
    return notes;
  }
}
