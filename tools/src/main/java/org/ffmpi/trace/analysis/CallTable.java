// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.TracedCall;

/** Adds up the calls of one name and place. */
final class CallTable {
  private record Key(CallKind kind, String name, String site) {}

  /** The sums of one row. */
  private static final class Sums {
    long count;
    long bytes;
    long time;
    long longest;
    long waited;
    final long[] causes;

    Sums(int lanes) {
      causes = new long[lanes];
    }
  }

  private CallTable() {}

  /** Returns the rows, that with the most time first. */
  static List<CallRow> of(JobLanes lanes, CallWaits waits) {
    Map<Key, Sums> sums = new LinkedHashMap<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      JobLane own = lanes.get(lane);
      for (int i = 0; i < own.size(); i++) {
        TracedCall call = own.call(i);
        Sums row = sums.computeIfAbsent(
            new Key(call.kind(), call.name(), call.site()), unused -> new Sums(lanes.size()));
        long time = own.end(i) - own.start(i);
        row.count++;
        row.bytes += bytes(own, i);
        row.time += time;
        row.longest = Math.max(row.longest, time);
        row.waited += waits.waited(lane, i);
        if (waits.cause(lane, i) >= 0) {
          row.causes[waits.cause(lane, i)] += waits.waited(lane, i);
        }
      }
    }
    List<CallRow> rows = new ArrayList<>();
    sums.forEach((key, row) -> {
      int cause = -1;
      for (int lane = 0; lane < lanes.size(); lane++) {
        cause = row.causes[lane] > (cause < 0 ? 0 : row.causes[cause]) ? lane : cause;
      }
      rows.add(new CallRow(key.kind, key.name, key.site, row.count, row.bytes, row.time, row.longest, row.waited,
          cause, cause < 0 ? 0 : row.causes[cause]));
    });
    rows.sort(Comparator.comparingLong(CallRow::time).reversed());
    return rows;
  }

  /** Returns the bytes that a call moved: of a receive those of its message, not those of its buffer. */
  static long bytes(JobLane lane, int place) {
    TracedCall call = lane.call(place);
    return switch (call.kind()) {
      case RECV, IRECV -> {
        CompletedRequest message = MessageMatcher.received(lane, place);
        yield message == null ? 0 : message.bytes();
      }
      case MPROBE, PROBE, WAIT, TEST -> 0;
      default -> call.bytes();
    };
  }
}
