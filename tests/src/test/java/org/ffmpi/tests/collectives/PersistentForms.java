// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/** All 22 persistent collectives of one ring of ranks, each with its blocking and its nonblocking form. */
final class PersistentForms implements AutoCloseable {
  /** One collective on numbers of its own. What it reads is {@link #send}; what it writes is a target. */
  final class Form {
    final String name;
    private final Init init;
    private final Consumer<int[]> blocking;
    private final Start nonblocking;

    private Form(String name, Init init, Consumer<int[]> blocking, Start nonblocking) {
      this.name = name;
      this.init = init;
      this.blocking = blocking;
      this.nonblocking = nonblocking;
    }

    Persistent init(int[] target, Info info) {
      return init.make(target, info);
    }

    void call(int[] target) {
      blocking.accept(target);
    }

    Request start(int[] target) {
      return nonblocking.make(target);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private interface Init {
    Persistent make(int[] target, Info info);
  }

  private interface Start {
    Request make(int[] target);
  }

  final CartComm ring;
  final int size;
  final int rank;
  final int root;
  final int[] send;

  /** The arrays that calls are given. Whoever changes them between two calls has {@link #restore} to call. */
  final long[] ones;
  final long[] counts;
  final long[] displs;
  final long[] pairCounts;
  final long[] bytes;
  final long[] edgesOut;
  final long[] edgesIn;
  final long[] edgeDispls;
  final long[] edgeBytes;
  final long[] twice;
  final Datatype<?>[] types;
  final Datatype<?>[] edgeTypes;

  final Map<String, Form> all = new LinkedHashMap<>();

  PersistentForms(IntraComm world) {
    this.ring = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false);
    this.size = ring.size();
    this.rank = ring.rank();
    this.root = size - 1;
    this.send = new int[2 * size + 4];
    this.ones = new long[size];
    this.counts = new long[size];
    this.displs = new long[size];
    this.pairCounts = new long[size];
    this.bytes = new long[size];
    this.edgesOut = new long[2];
    this.edgesIn = new long[2];
    this.edgeDispls = new long[2];
    this.edgeBytes = new long[2];
    this.twice = new long[2];
    this.types = new Datatype<?>[size];
    this.edgeTypes = new Datatype<?>[2];
    restore();
    put();
    putReductions();
    putNeighbors();
  }

  /** Gives all arrays their values again. */
  void restore() {
    Arrays.fill(ones, 1);
    Arrays.setAll(counts, r -> r % 2 + 1);
    Arrays.setAll(displs, r -> 2 * r);
    Arrays.setAll(pairCounts, r -> (r + rank) % 3);
    Arrays.setAll(bytes, r -> 8 * r);
    edgesOut[0] = 1;
    edgesOut[1] = 2;
    edgesIn[0] = 2; // the rank below sends its block for the rank above
    edgesIn[1] = 1;
    edgeDispls[1] = 2;
    edgeDispls[0] = 0;
    edgeBytes[1] = 8;
    edgeBytes[0] = 0;
    Arrays.fill(twice, 2);
    Arrays.fill(types, Datatype.INT);
    Arrays.fill(edgeTypes, Datatype.INT);
  }

  /** Makes an array for results, with what it holds before. */
  int[] target() {
    int[] target = new int[send.length];
    clear(target);
    return target;
  }

  void clear(int[] target) {
    for (int i = 0; i < target.length; i++) {
      target[i] = -1_000 * (rank + 1) - i;
    }
  }

  /** Gives the data to send the values of a round. */
  void fill(int round) {
    for (int i = 0; i < send.length; i++) {
      send[i] = 10_000 * round + 100 * rank + i;
    }
  }

  private Buf<Integer> out() {
    return Buf.of(send, 0, 2 * size);
  }

  private Buf<Integer> two() {
    return Buf.of(send, 0, 2);
  }

  private static Buf<Integer> in(int[] target, int length) {
    return Buf.of(target, 0, length);
  }

  private Buf<Integer> atRoot(int[] target) {
    return rank == root ? in(target, 2 * size) : null;
  }

  private void put(String name, Init init, Consumer<int[]> blocking, Start nonblocking) {
    all.put(name, new Form(name, init, blocking, nonblocking));
  }

  private Buf<Integer> counted(int[] array) {
    return Buf.of(array, 0, (int) counts[rank]);
  }

  private void put() {
    put("barrier", (_, i) -> ring.barrierInit(i), _ -> ring.barrier(), _ -> ring.ibarrier());
    put("bcast", (t, i) -> ring.bcastInit(Buf.of(t), root, i), t -> ring.bcast(Buf.of(t), root),
        t -> ring.ibcast(Buf.of(t), root));
    put("gather", (t, i) -> ring.gatherInit(two(), atRoot(t), root, i), t -> ring.gather(two(), atRoot(t), root),
        t -> ring.igather(two(), atRoot(t), root));
    put("gatherv", (t, i) -> ring.gathervInit(counted(send), atRoot(t), counts, displs, root, i),
        t -> ring.gatherv(counted(send), atRoot(t), counts, displs, root),
        t -> ring.igatherv(counted(send), atRoot(t), counts, displs, root));
    put("scatter", (t, i) -> ring.scatterInit(atRoot(send), in(t, 2), root, i),
        t -> ring.scatter(atRoot(send), in(t, 2), root), t -> ring.iscatter(atRoot(send), in(t, 2), root));
    put("scatterv", (t, i) -> ring.scattervInit(atRoot(send), counts, displs, counted(t), root, i),
        t -> ring.scatterv(atRoot(send), counts, displs, counted(t), root),
        t -> ring.iscatterv(atRoot(send), counts, displs, counted(t), root));
    put("allgather", (t, i) -> ring.allgatherInit(two(), in(t, 2 * size), i),
        t -> ring.allgather(two(), in(t, 2 * size)), t -> ring.iallgather(two(), in(t, 2 * size)));
    put("allgatherv", (t, i) -> ring.allgathervInit(counted(send), in(t, 2 * size), counts, displs, i),
        t -> ring.allgatherv(counted(send), in(t, 2 * size), counts, displs),
        t -> ring.iallgatherv(counted(send), in(t, 2 * size), counts, displs));
    put("alltoall", (t, i) -> ring.alltoallInit(out(), in(t, 2 * size), i), t -> ring.alltoall(out(), in(t, 2 * size)),
        t -> ring.ialltoall(out(), in(t, 2 * size)));
    put("alltoallv",
        (t, i) -> ring.alltoallvInit(out(), pairCounts, displs, in(t, 2 * size), pairCounts, displs, i),
        t -> ring.alltoallv(out(), pairCounts, displs, in(t, 2 * size), pairCounts, displs),
        t -> ring.ialltoallv(out(), pairCounts, displs, in(t, 2 * size), pairCounts, displs));
    put("alltoallw",
        (t, i) -> ring.alltoallwInit(
            out(), pairCounts, bytes, types, in(t, 2 * size), pairCounts, bytes, types, i),
        t -> ring.alltoallw(out(), pairCounts, bytes, types, in(t, 2 * size), pairCounts, bytes, types),
        t -> ring.ialltoallw(out(), pairCounts, bytes, types, in(t, 2 * size), pairCounts, bytes, types));
  }

  private void putReductions() {
    put("reduce", (t, i) -> ring.reduceInit(out(), atRoot(t), Op.SUM, root, i),
        t -> ring.reduce(out(), atRoot(t), Op.SUM, root), t -> ring.ireduce(out(), atRoot(t), Op.SUM, root));
    put("allreduce", (t, i) -> ring.allreduceInit(out(), in(t, 2 * size), Op.SUM, i),
        t -> ring.allreduce(out(), in(t, 2 * size), Op.SUM), t -> ring.iallreduce(out(), in(t, 2 * size), Op.SUM));
    put("reduceScatterBlock", (t, i) -> ring.reduceScatterBlockInit(out(), in(t, 2), Op.SUM, i),
        t -> ring.reduceScatterBlock(out(), in(t, 2), Op.SUM),
        t -> ring.ireduceScatterBlock(out(), in(t, 2), Op.SUM));
    put("reduceScatter",
        (t, i) -> ring.reduceScatterInit(Buf.of(send, 0, size), in(t, 1), ones, Op.SUM, i),
        t -> ring.reduceScatter(Buf.of(send, 0, size), in(t, 1), ones, Op.SUM),
        t -> ring.ireduceScatter(Buf.of(send, 0, size), in(t, 1), ones, Op.SUM));
    put("scan", (t, i) -> ring.scanInit(out(), in(t, 2 * size), Op.SUM, i),
        t -> ring.scan(out(), in(t, 2 * size), Op.SUM), t -> ring.iscan(out(), in(t, 2 * size), Op.SUM));
    put("exscan", (t, i) -> ring.exscanInit(out(), in(t, 2 * size), Op.SUM, i),
        t -> ring.exscan(out(), in(t, 2 * size), Op.SUM), t -> ring.iexscan(out(), in(t, 2 * size), Op.SUM));
  }

  private void putNeighbors() {
    put("neighborAllgather", (t, i) -> ring.neighborAllgatherInit(two(), in(t, 4), i),
        t -> ring.neighborAllgather(two(), in(t, 4)), t -> ring.ineighborAllgather(two(), in(t, 4)));
    put("neighborAllgatherv", (t, i) -> ring.neighborAllgathervInit(two(), in(t, 4), twice, edgeDispls, i),
        t -> ring.neighborAllgatherv(two(), in(t, 4), twice, edgeDispls),
        t -> ring.ineighborAllgatherv(two(), in(t, 4), twice, edgeDispls));
    put("neighborAlltoall", (t, i) -> ring.neighborAlltoallInit(Buf.of(send, 0, 4), in(t, 4), i),
        t -> ring.neighborAlltoall(Buf.of(send, 0, 4), in(t, 4)),
        t -> ring.ineighborAlltoall(Buf.of(send, 0, 4), in(t, 4)));
    put("neighborAlltoallv",
        (t, i) -> ring.neighborAlltoallvInit(
            Buf.of(send, 0, 4), edgesOut, edgeDispls, in(t, 4), edgesIn, edgeDispls, i),
        t -> ring.neighborAlltoallv(Buf.of(send, 0, 4), edgesOut, edgeDispls, in(t, 4), edgesIn, edgeDispls),
        t -> ring.ineighborAlltoallv(Buf.of(send, 0, 4), edgesOut, edgeDispls, in(t, 4), edgesIn, edgeDispls));
    put("neighborAlltoallw",
        (t, i) -> ring.neighborAlltoallwInit(
            Buf.of(send, 0, 4), edgesOut, edgeBytes, edgeTypes, in(t, 4), edgesIn, edgeBytes, edgeTypes, i),
        t -> ring.neighborAlltoallw(
            Buf.of(send, 0, 4), edgesOut, edgeBytes, edgeTypes, in(t, 4), edgesIn, edgeBytes, edgeTypes),
        t -> ring.ineighborAlltoallw(
            Buf.of(send, 0, 4), edgesOut, edgeBytes, edgeTypes, in(t, 4), edgesIn, edgeBytes, edgeTypes));
  }

  @Override
  public void close() {
    ring.close();
  }
}
