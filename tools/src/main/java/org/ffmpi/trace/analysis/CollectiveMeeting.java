// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.TracedCall;
import org.ffmpi.trace.model.TracedGroup;

/** The calls of all ranks that are one collective call. */
final class CollectiveMeeting {
  /** A rank in it, with its lane, its call's place, when it entered, its position among the communicator's ranks. */
  record Part(int lane, int call, long entered, int position) {}

  /** Several groups may have communicators of one number; their first ranks tell them apart. */
  private record Key(long comm, int first, long sequence) {}

  private final JobLanes lanes;
  private final List<Part> parts = new ArrayList<>();

  private CollectiveMeeting(JobLanes lanes) {
    this.lanes = lanes;
  }

  /** Returns the meeting of each collective call of each lane; null for other calls. */
  static CollectiveMeeting[][] all(JobLanes lanes) {
    Map<Key, CollectiveMeeting> meetings = new HashMap<>();
    CollectiveMeeting[][] of = new CollectiveMeeting[lanes.size()][];
    for (int lane = 0; lane < lanes.size(); lane++) {
      JobLane own = lanes.get(lane);
      of[lane] = new CollectiveMeeting[own.size()];
      for (int i = 0; i < own.size(); i++) {
        Key key = key(own, own.call(i));
        if (key != null) {
          TracedGroup group = own.group(key.comm);
          int position = group == null ? own.rank() : group.members().indexOf(own.rank());
          of[lane][i] = meetings.computeIfAbsent(key, unused -> new CollectiveMeeting(lanes));
          of[lane][i].parts.add(new Part(lane, i, own.start(i), position));
        }
      }
    }
    return of;
  }

  private static Key key(JobLane lane, TracedCall call) {
    if (call.kind() == CallKind.FINALIZE) {
      return new Key(Long.MIN_VALUE, 0, 0);
    }
    if (call.sequence() < 0) {
      return null;
    }
    TracedGroup group = lane.group(call.comm());
    int first = group == null ? -1 : Collections.min(group.members());
    return new Key(call.comm(), first, call.sequence());
  }

  /** Returns the rank that a lane's call waits for, the last to enter of those that it needs; null if it needs none. */
  Part last(int lane, TracedCall call) {
    CollectiveNeeds needs = call.kind() == CallKind.COLLECTIVE ? CollectiveNeeds.of(call.name()) : CollectiveNeeds.ALL;
    int rank = lanes.get(lane).rank();
    Part own = null;
    for (Part part : parts) {
      own = part.lane == lane ? part : own;
    }
    Part last = null;
    for (Part part : parts) {
      boolean needed = own != null && part.lane != lane && switch (needs) {
        case ALL -> true;
        case ROOT -> lanes.get(part.lane).rank() == call.peer();
        case ALL_AT_ROOT -> rank == call.peer();
        case LOWER -> part.position < own.position;
        case UNKNOWN -> false;
      };
      if (needed && (last == null || part.entered > last.entered)) {
        last = part;
      }
    }
    return last;
  }
}
