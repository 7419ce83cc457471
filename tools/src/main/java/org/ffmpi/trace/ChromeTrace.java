// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.ffmpi.trace.analysis.JobLane;
import org.ffmpi.trace.analysis.JobLanes;
import org.ffmpi.trace.analysis.MatchedMessage;
import org.ffmpi.trace.analysis.TraceAnalysis;
import org.ffmpi.trace.model.TracedCall;

/**
 * Writes recordings in the JSON format that Chrome's and Perfetto's viewers read. It has a process for each rank, a
 * complete event for each call, an arrow for each message of which both ends are known, and times in microseconds from
 * the first call. One thread.
 */
final class ChromeTrace {
  private static final long NANOS_PER_MICRO = 1000;

  private final BufferedWriter out;
  private final JobLanes lanes;
  private boolean first = true;

  private ChromeTrace(BufferedWriter out, JobLanes lanes) {
    this.out = out;
    this.lanes = lanes;
  }

  static void write(TraceAnalysis analysis, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      new ChromeTrace(out, analysis.lanes()).write(analysis.messages());
    }
  }

  private void write(List<MatchedMessage> messages) throws IOException {
    out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (int i = 0; i < lanes.size(); i++) {
      JobLane lane = lanes.get(i);
      name(lane.rank(), "rank " + lane.rank() + (lane.recording().ended() ? "" : " (did not end)"));
      for (int call = 0; call < lane.size(); call++) {
        event(lane, call);
      }
    }
    int number = 0;
    for (MatchedMessage message : messages) {
      arrow(message, ++number);
    }
    out.write("\n]}\n");
  }

  /** Writes the arrow of a message, from its send to the call that completed its receive. */
  private void arrow(MatchedMessage message, int number) throws IOException {
    JobLane sender = lanes.get(message.sender());
    JobLane receiver = lanes.get(message.receiver());
    int completed = message.completed() < 0 ? message.posted() : message.completed();
    end(sender.rank(), "s", number, sender.start(message.send()), "");
    end(receiver.rank(), "f", number, Math.max(receiver.start(completed), receiver.end(completed) - 1),
        ",\"bp\":\"e\"");
  }

  private void end(int rank, String phase, int number, long nanos, String more) throws IOException {
    separate();
    out.write("{\"ph\":\"" + phase + "\",\"pid\":" + rank + ",\"tid\":0,\"ts\":" + micros(nanos - lanes.start())
        + ",\"id\":" + number + ",\"name\":\"message\",\"cat\":\"message\"" + more + "}");
  }

  private void separate() throws IOException {
    out.write(first ? "\n" : ",\n");
    first = false;
  }

  private void name(int rank, String text) throws IOException {
    separate();
    out.write("{\"ph\":\"M\",\"pid\":" + rank + ",\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":"
        + quoted(text) + "}}");
  }

  private void event(JobLane lane, int place) throws IOException {
    separate();
    TracedCall call = lane.call(place);
    long start = lane.start(place) - lanes.start();
    long stop = lane.end(place) - lanes.start();
    out.write("{\"ph\":\"X\",\"pid\":" + lane.rank() + ",\"tid\":0,\"ts\":" + micros(start) + ",\"dur\":"
        + micros(stop - start) + ",\"name\":" + quoted(call.name()) + ",\"cat\":\""
        + call.kind().name().toLowerCase(Locale.ROOT) + "\",\"args\":{");
    out.write("\"bytes\":" + call.bytes());
    if (call.site() != null) {
      out.write(",\"at\":" + quoted(call.site()));
    }
    if (call.peer() >= 0) {
      out.write(",\"peer\":" + call.peer());
    }
    if (call.tag() >= 0) {
      out.write(",\"tag\":" + call.tag());
    }
    if (call.comm() >= 0) {
      out.write(",\"communicator\":" + call.comm());
    }
    if (call.how() != null) {
      out.write(",\"how\":" + quoted(call.how()));
    }
    if (!call.isFinished()) {
      out.write(",\"unfinished\":true");
    }
    out.write("}}");
  }

  private static String micros(long nanos) {
    long rest = Math.floorMod(nanos, NANOS_PER_MICRO);
    String padded = rest < 10 ? "00" : rest < 100 ? "0" : "";
    return Math.floorDiv(nanos, NANOS_PER_MICRO) + "." + padded + rest; // a format would take longer than all the rest
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
