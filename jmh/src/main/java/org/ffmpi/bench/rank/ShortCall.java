// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

/** Calls with {@code int[2]} between two ranks, as {@link Calls} makes them at rank 0. */
public enum ShortCall {
  /** A send of an array, which is awaited. */
  SEND("send", true, false),
  /** A receive into an array, whose message is there. */
  RECV("recv", true, false),
  /** A receive into a {@code Buf} made before, whose message is there. */
  RECV_BUF("recv-buf", true, false),
  /** A send and a receive of the answer, both of arrays. */
  ROUND_TRIP("round-trip", false, true),
  /** A nonblocking send, a nonblocking receive, and both awaited. */
  EXCHANGE("isend-irecv", true, true),
  /** A send and a receive in one call. */
  SENDRECV("sendrecv", true, true),
  /** A barrier that the other rank has entered. */
  BARRIER("barrier", true, true),
  /** A broadcast by this rank. */
  BCAST("bcast", true, false),
  /** A broadcast by the other rank, whose data are there. */
  BCAST_LEAF("bcast-leaf", true, false),
  /** A sum at this rank. */
  REDUCE("reduce", true, false),
  /** A sum at the other rank. */
  REDUCE_LEAF("reduce-leaf", true, false),
  /** A sum at both ranks. */
  ALLREDUCE("allreduce", true, true),
  /** A start of a persistent sum at both ranks, and its end. */
  STARTED_ALLREDUCE("allreduce-started", true, true),
  /** Blocks from both ranks at this one. */
  GATHER("gather", true, false),
  /** Blocks from both ranks at the other one. */
  GATHER_LEAF("gather-leaf", true, false),
  /** Blocks from this rank to both. */
  SCATTER("scatter", true, false),
  /** Blocks from the other rank to both. */
  SCATTER_LEAF("scatter-leaf", true, false),
  /** Blocks from both ranks at both. */
  ALLGATHER("allgather", true, true),
  /** A block of its own from each rank to each. */
  ALLTOALL("alltoall", true, true),
  /** A put into the window of the other rank, and a fence that this one has entered. */
  PUT_FENCE("put-fence", true, true),
  /** A buffer over an array. */
  BUF_OF("buf-of", true, true);

  /** Name on the command line and in tables. */
  public final String title;

  /** Whether the methods it enters are counted: it waits for nothing that the other rank begins only after it. */
  public final boolean counted;

  /** Whether it is timed: its repetition keeps both ranks in step. */
  public final boolean timed;

  ShortCall(String title, boolean counted, boolean timed) {
    this.title = title;
    this.counted = counted;
    this.timed = timed;
  }

  static ShortCall of(String title) {
    for (ShortCall call : values()) {
      if (call.title.equals(title)) {
        return call;
      }
    }
    throw new IllegalArgumentException(title + ": there is no such call");
  }
}
