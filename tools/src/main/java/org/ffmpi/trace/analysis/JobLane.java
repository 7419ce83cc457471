// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;
import org.ffmpi.trace.model.TracedGroup;

/** The calls of one rank on the clock that all ranks share, and where its requests were completed. Immutable. */
public final class JobLane {
  /** A completed request, and the call that completed it, as a place among those of the lane. */
  record Completion(int call, CompletedRequest request) {}

  private final RankRecording recording;
  private final List<TracedCall> calls;
  private final long end;
  private final Map<Long, Completion> completions = new HashMap<>();
  private final Map<Long, TracedGroup> groups = new HashMap<>();

  JobLane(RankRecording recording, long end) {
    this.recording = recording;
    this.calls = recording.calls();
    this.end = end;
    recording.groups().forEach(group -> groups.put(group.comm(), group));
    for (int i = 0; i < calls.size(); i++) {
      TracedCall call = calls.get(i);
      if (call.kind() != CallKind.MPROBE) {
        for (CompletedRequest request : call.completed()) {
          if (request.request() != 0) {
            completions.put(request.request(), new Completion(i, request));
          }
        }
      }
    }
  }

  /**
   * Returns the number of the rank.
   *
   * @return its rank in the world
   */
  public int rank() {
    return recording.rank();
  }

  /**
   * Returns the recording that the lane is made of.
   *
   * @return the recording
   */
  public RankRecording recording() {
    return recording;
  }

  /**
   * Returns the number of calls.
   *
   * @return how many there are
   */
  public int size() {
    return calls.size();
  }

  /**
   * Returns a call.
   *
   * @param call its place
   * @return the call, with times of the rank's own clock
   */
  public TracedCall call(int call) {
    return calls.get(call);
  }

  /**
   * Returns when a call began.
   *
   * @param call its place
   * @return nanoseconds on the common clock
   */
  public long start(int call) {
    return calls.get(call).start() + recording.clockOffset();
  }

  /**
   * Returns when a call ended.
   *
   * @param call its place
   * @return nanoseconds on the common clock; the end of the job for a call that never ended
   */
  public long end(int call) {
    TracedCall traced = calls.get(call);
    return traced.isFinished() ? traced.end() + recording.clockOffset() : Math.max(end, start(call));
  }

  /** Returns where a request was completed, or null. */
  Completion completion(long request) {
    return completions.get(request);
  }

  /** Returns the ranks of a communicator that the lane is in, or null where they are not known. */
  TracedGroup group(long comm) {
    return groups.get(comm);
  }
}
