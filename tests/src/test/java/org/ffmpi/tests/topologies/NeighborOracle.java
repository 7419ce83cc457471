// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.TopologyComm;

/** Makes random calls of neighbourhood collectives, and checks each against messages from point to point. */
final class NeighborOracle {
  private static final int ROUNDS = 3;

  private final TopologyComm comm;
  private final Edges edges;
  private final RandomGenerator common;
  private final RandomGenerator own;

  NeighborOracle(TopologyComm comm, Edges edges, RandomGenerator common, RandomGenerator own) {
    this.comm = comm;
    this.edges = edges;
    this.common = common;
    this.own = own;
  }

  /** Whom blocks come from and go to; the block of a destination arrives in that of a source with the same tag. */
  record Edges(int[] sources, int[] sourceTags, int[] destinations, int[] destinationTags) {
    /** Between the same two ranks, the first block goes to the first, the second to the second. */
    static Edges of(int[] sources, int[] destinations) {
      return new Edges(sources, occurrences(sources), destinations, occurrences(destinations));
    }

    private static int[] occurrences(int[] ranks) {
      int[] tags = new int[ranks.length];
      for (int i = 0; i < ranks.length; i++) {
        for (int before = 0; before < i; before++) {
          tags[i] += ranks[before] == ranks[i] ? 1 : 0;
        }
      }
      return tags;
    }
  }

  private enum Call {
    ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, ALLTOALLW_OF_BUFS;

    /** How many pairs of doubles go along an edge, as both ranks of it know: some calls are of long messages. */
    long length(int salt, int source, int destination, int tag) {
      return (salt >>> 8 & 7) == 0 ? 60 * few(salt, source, destination, tag) : few(salt, source, destination, tag);
    }

    private long few(int salt, int source, int destination, int tag) {
      return switch (this) {
        case ALLGATHER, ALLTOALL -> Math.floorMod(salt, 4);
        case ALLGATHERV -> hash(salt, source, 0, 0);
        default -> hash(salt, source, destination, tag);
      };
    }

    private static long hash(int salt, int a, int b, int c) {
      int hash = (salt ^ a * 0x9E3779B9 ^ b * 0x85EBCA6B ^ c * 0xC2B2AE35) * 0x27D4EB2F;
      return hash >>> 28 & 7;
    }

    NeighborMemory send(long[] lengths, RandomGenerator own) {
      return switch (this) {
        case ALLGATHER, ALLTOALL -> NeighborMemory.equal(lengths, own);
        case ALLGATHERV -> NeighborMemory.equal(lengths.length == 0 ? lengths : new long[] {lengths[0]}, own);
        case ALLTOALLV -> NeighborMemory.counted(lengths, own);
        default -> NeighborMemory.typed(lengths, own);
      };
    }

    NeighborMemory recv(long[] lengths, RandomGenerator own) {
      return switch (this) {
        case ALLGATHER, ALLTOALL -> NeighborMemory.equal(lengths, own);
        case ALLGATHERV, ALLTOALLV -> NeighborMemory.counted(lengths, own);
        default -> NeighborMemory.typed(lengths, own);
      };
    }
  }

  private enum Form {
    BLOCKING, NONBLOCKING, PERSISTENT, PERSISTENT_WITH_INFO
  }

  /** Makes a call, in a form, with some data; a persistent one several times. */
  void exchange() {
    Call call = Call.values()[common.nextInt(Call.values().length)];
    Form form = Form.values()[common.nextInt(Form.values().length)];
    int salt = common.nextInt();
    int me = comm.rank();
    long[] out = new long[edges.destinations().length];
    for (int i = 0; i < out.length; i++) {
      out[i] = call.length(salt, me, edges.destinations()[i], edges.destinationTags()[i]);
    }
    long[] in = new long[edges.sources().length];
    for (int i = 0; i < in.length; i++) {
      in[i] = call.length(salt, edges.sources()[i], me, edges.sourceTags()[i]);
    }
    boolean isGather = call == Call.ALLGATHER || call == Call.ALLGATHERV;
    NeighborMemory send = call.send(isGather && out.length > 1 ? new long[] {out[0]} : out, own);
    NeighborMemory recv = call.recv(in, own);
    String what = call + " " + form;
    if (form == Form.BLOCKING || form == Form.NONBLOCKING) {
      send.fill(1000 * me);
      recv.clear();
      if (form == Form.BLOCKING) {
        run(call, send, recv);
      } else {
        finish(start(call, send, recv));
      }
      check(what, send, recv);
      return;
    }
    try (Info info = new Info();
        Persistent request = form == Form.PERSISTENT ? init(call, send, recv) : init(call, send, recv, info)) {
      for (int round = 0; round < ROUNDS; round++) {
        send.fill(1000 * me + 100_000 * round);
        recv.clear();
        request.start();
        finish(request);
        check(what, send, recv);
      }
    }
  }

  private void finish(Request request) {
    if (own.nextBoolean()) {
      Status status = request.await(new Status());
      assertEquals(0, status.bytes());
    } else {
      while (!request.test()) {
        Thread.onSpinWait();
      }
    }
  }

  private void run(Call call, NeighborMemory s, NeighborMemory r) {
    switch (call) {
      case ALLGATHER -> comm.neighborAllgather(s.buf, r.buf);
      case ALLGATHERV -> comm.neighborAllgatherv(s.buf, r.buf, r.counts, r.displs);
      case ALLTOALL -> comm.neighborAlltoall(s.buf, r.buf);
      case ALLTOALLV -> comm.neighborAlltoallv(s.buf, s.counts, s.displs, r.buf, r.counts, r.displs);
      case ALLTOALLW ->
          comm.neighborAlltoallw(s.buf, s.counts, s.displs, s.types, r.buf, r.counts, r.displs, r.types);
      default -> comm.neighborAlltoallw(s.blocks, r.blocks);
    }
  }

  private Request start(Call call, NeighborMemory s, NeighborMemory r) {
    return switch (call) {
      case ALLGATHER -> comm.ineighborAllgather(s.buf, r.buf);
      case ALLGATHERV -> comm.ineighborAllgatherv(s.buf, r.buf, r.counts, r.displs);
      case ALLTOALL -> comm.ineighborAlltoall(s.buf, r.buf);
      case ALLTOALLV -> comm.ineighborAlltoallv(s.buf, s.counts, s.displs, r.buf, r.counts, r.displs);
      case ALLTOALLW ->
          comm.ineighborAlltoallw(s.buf, s.counts, s.displs, s.types, r.buf, r.counts, r.displs, r.types);
      default -> comm.ineighborAlltoallw(s.blocks, r.blocks);
    };
  }

  private Persistent init(Call call, NeighborMemory s, NeighborMemory r) {
    return switch (call) {
      case ALLGATHER -> comm.neighborAllgatherInit(s.buf, r.buf, null);
      case ALLGATHERV -> comm.neighborAllgathervInit(s.buf, r.buf, r.counts, r.displs, null);
      case ALLTOALL -> comm.neighborAlltoallInit(s.buf, r.buf, null);
      case ALLTOALLV -> comm.neighborAlltoallvInit(s.buf, s.counts, s.displs, r.buf, r.counts, r.displs, null);
      case ALLTOALLW ->
          comm.neighborAlltoallwInit(s.buf, s.counts, s.displs, s.types, r.buf, r.counts, r.displs, r.types, null);
      default -> comm.neighborAlltoallwInit(s.blocks, r.blocks, null);
    };
  }

  private Persistent init(Call call, NeighborMemory s, NeighborMemory r, Info info) {
    return switch (call) {
      case ALLGATHER -> comm.neighborAllgatherInit(s.buf, r.buf, info);
      case ALLGATHERV -> comm.neighborAllgathervInit(s.buf, r.buf, r.counts, r.displs, info);
      case ALLTOALL -> comm.neighborAlltoallInit(s.buf, r.buf, info);
      case ALLTOALLV -> comm.neighborAlltoallvInit(s.buf, s.counts, s.displs, r.buf, r.counts, r.displs, info);
      case ALLTOALLW ->
          comm.neighborAlltoallwInit(s.buf, s.counts, s.displs, s.types, r.buf, r.counts, r.displs, r.types, info);
      default -> comm.neighborAlltoallwInit(s.blocks, r.blocks, info);
    };
  }

  /** Sends the same by messages to other memory, and compares all of it, gaps included. */
  private void check(String what, NeighborMemory send, NeighborMemory recv) {
    NeighborMemory want = recv.twin();
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < want.blocks.length; i++) {
      if (edges.sources()[i] != PROC_NULL) {
        requests.add(comm.irecv(want.blocks[i], edges.sources()[i], edges.sourceTags()[i]));
      }
    }
    for (int i = 0; i < edges.destinations().length; i++) {
      if (edges.destinations()[i] != PROC_NULL) {
        Buf<?> block = send.blocks[send.blocks.length == 1 ? 0 : i];
        requests.add(comm.isend(block, edges.destinations()[i], edges.destinationTags()[i]));
      }
    }
    Request.waitAll(requests);
    long differs = want.memory.mismatch(recv.memory);
    assertTrue(differs < 0, () -> what + " on " + comm.topology() + ": double " + differs / 8 + " of rank "
        + comm.rank() + " is " + recv.at(differs / 8) + " instead of " + want.at(differs / 8));
  }
}
