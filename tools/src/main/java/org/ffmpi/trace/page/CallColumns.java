// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.analysis.CallWaits;
import org.ffmpi.trace.analysis.JobLane;
import org.ffmpi.trace.analysis.JobLanes;
import org.ffmpi.trace.analysis.MatchedMessage;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.TracedCall;

/** The calls and messages as columns. What many calls share (name, place, protocol) is written once, as a type. */
final class CallColumns {
  /** The properties that many calls share. */
  record CallType(CallKind kind, String name, String site, String how, long comm) {}

  private final JobLanes lanes;
  private final CallWaits waits;
  private final Map<CallType, Integer> types = new LinkedHashMap<>();

  CallColumns(JobLanes lanes, CallWaits waits) {
    this.lanes = lanes;
    this.waits = waits;
  }

  /** Returns the types of the lanes written so far, in the order of their numbers. */
  List<CallType> types() {
    return new ArrayList<>(types.keySet());
  }

  /** Writes a lane. */
  void write(int place, Columns columns) {
    JobLane lane = lanes.get(place);
    int size = lane.size();
    for (int i = 0; i < size; i++) {
      TracedCall call = lane.call(i);
      CallType type = new CallType(call.kind(), call.name(), call.site(), call.how(), call.comm());
      columns.add(types.computeIfAbsent(type, unused -> types.size()));
    }
    long last = lanes.start();
    for (int i = 0; i < size; i++) {
      columns.addSigned(lane.start(i) - last);
      last = lane.start(i);
    }
    for (int i = 0; i < size; i++) {
      columns.add(lane.end(i) - lane.start(i));
    }
    for (int i = 0; i < size; i++) {
      columns.addSigned(lane.call(i).peer());
    }
    for (int i = 0; i < size; i++) {
      columns.addSigned(lane.call(i).tag());
    }
    for (int i = 0; i < size; i++) {
      columns.add(Math.max(0, lane.call(i).bytes()));
    }
    for (int i = 0; i < size; i++) {
      columns.add(waits.waited(place, i));
    }
    for (int i = 0; i < size; i++) {
      columns.add(waits.cause(place, i) + 1);
    }
    for (int i = 0; i < size; i++) {
      columns.add(waits.partner(place, i) + 1);
    }
    for (int i = 0; i < size; i++) {
      columns.add(waits.reason(place, i).ordinal());
    }
    for (int depth : depths(lane)) {
      columns.add(depth);
    }
  }

  /** Returns how many calls of other threads are under way at the start of each, which is its row within the lane. */
  static int[] depths(JobLane lane) {
    int[] depths = new int[lane.size()];
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < depths.length; i++) {
      long start = lane.start(i);
      int row = 0;
      while (row < ends.size() && ends.get(row) > start) {
        row++;
      }
      if (row == ends.size()) {
        ends.add(0L);
      }
      ends.set(row, lane.end(i));
      depths[i] = row;
    }
    return depths;
  }

  /** Writes messages, those of each sender together, in the order in which they were sent. */
  static void writeMessages(List<MatchedMessage> messages, Columns columns) {
    messages.forEach(message -> columns.add(message.sender()));
    long last = 0;
    for (MatchedMessage message : messages) {
      columns.addSigned(message.send() - last);
      last = message.send();
    }
    messages.forEach(message -> columns.add(message.receiver()));
    last = 0;
    for (MatchedMessage message : messages) {
      columns.addSigned(message.posted() - last);
      last = message.posted();
    }
    messages.forEach(
        message -> columns.add(message.completed() < 0 ? 0 : message.completed() - message.posted() + 1));
  }
}
