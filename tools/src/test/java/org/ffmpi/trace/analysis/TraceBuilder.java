// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;

/** Traces written by hand, for tests: calls with the times that the test gives them. */
public final class TraceBuilder {
  private final List<List<TracedCall>> calls = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final long[] dropped;
  private final boolean[] killed;
  private final long[] offsets;
  private String command = "test";
  private String site;
  private long requests;

  /**
   * Begins a trace.
   *
   * @param ranks number of ranks
   */
  public TraceBuilder(int ranks) {
    for (int i = 0; i < ranks; i++) {
      calls.add(new ArrayList<>());
    }
    dropped = new long[ranks];
    killed = new boolean[ranks];
    offsets = new long[ranks];
  }

  /** Sets what was run. */
  public TraceBuilder command(String text) {
    command = text;
    return this;
  }

  /** Sets the place of the calls that follow. */
  public TraceBuilder at(String place) {
    site = place;
    return this;
  }

  /** Says that a rank has lost calls. */
  public void drop(int rank, long count) {
    dropped[rank] = count;
  }

  /** Says that a rank did not reach its end. */
  public void kill(int rank) {
    killed[rank] = true;
  }

  /** Sets what is to be added to the times of a rank, which are given on its own clock. */
  public void offset(int rank, long nanos) {
    offsets[rank] = nanos;
  }

  /** Adds a sentence for the reader. */
  public void note(String text) {
    notes.add(text);
  }

  /** Adds a send. */
  public void send(int rank, long start, long end, int to, int tag, long bytes, String how) {
    add(rank, start, end, CallKind.SEND, "send", 0, to, tag, bytes, how, 0, -1, List.of());
  }

  /** Adds a receive that got its message. */
  public void recv(int rank, long start, long end, int from, int tag, long bytes) {
    add(rank, start, end, CallKind.RECV, "recv", 0, from, tag, bytes, null, 0, -1,
        List.of(new CompletedRequest(0, from, tag, bytes, false)));
  }

  /** Adds the start of a send and returns its request. */
  public long isend(int rank, long start, long end, int to, int tag, long bytes, String how) {
    add(rank, start, end, CallKind.ISEND, "isend", 0, to, tag, bytes, how, ++requests, -1, List.of());
    return requests;
  }

  /** Adds the start of a receive and returns its request. */
  public long irecv(int rank, long start, long end, int from, int tag, long bytes) {
    add(rank, start, end, CallKind.IRECV, "irecv", 0, from, tag, bytes, null, ++requests, -1, List.of());
    return requests;
  }

  /** Adds a wait for requests. */
  public void await(int rank, long start, long end, CompletedRequest... completed) {
    add(rank, start, end, CallKind.WAIT, "await", -1, TracedCall.NONE, TracedCall.NONE, 0, null, 0, -1,
        List.of(completed));
  }

  /** Adds a collective call. */
  public void collective(int rank, long start, long end, String name, long sequence, int root, long bytes) {
    add(rank, start, end, CallKind.COLLECTIVE, name, 0, root, TracedCall.NONE, bytes, null, 0, sequence, List.of());
  }

  /** Adds any call. */
  public void add(int rank, long start, long end, CallKind kind, String name, long comm, int peer, int tag, long bytes,
      String how, long request, long sequence, List<CompletedRequest> completed) {
    calls.get(rank).add(new TracedCall(
        start, end, kind, name, site, comm, peer, tag, bytes, how, request, sequence, completed));
  }

  /** Returns the trace. */
  public JobRecording recording() {
    List<RankRecording> ranks = new ArrayList<>();
    for (int rank = 0; rank < calls.size(); rank++) {
      calls.get(rank).sort(Comparator.comparingLong(TracedCall::start));
      ranks.add(new RankRecording(
          rank, 0, offsets[rank], dropped[rank], !killed[rank], calls.get(rank), List.of()));
    }
    return new JobRecording(command, ranks, notes);
  }
}
