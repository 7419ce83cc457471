// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/**
 * The collectives by the names of the suite, over one pair of buffers. Root is rank 0, reductions add.
 *
 * @param <T> the Java type of an element
 */
final class CollCalls<T> {
  private static final int ROOT = 0;

  private final IntraComm world;
  private final String name;
  private final Buf<T> send;
  private final Buf<T> recv;

  /** The buffer that a broadcast sends at the root and receives elsewhere. */
  private final Buf<T> sent;

  private final long[] counts;
  private final long[] shares;
  private final long[] displs;
  private final long[] byteDispls;
  private final Datatype<?>[] types;

  /**
   * Takes the buffers, which fit the data.
   *
   * @param world the ranks
   * @param data the words sent and received
   * @param send the send buffer
   * @param recv the receive buffer
   * @param type the type of the buffers
   * @param unit the bytes of one element
   */
  CollCalls(IntraComm world, CollData data, Buf<T> send, Buf<T> recv, Datatype<T> type, int unit) {
    this.world = world;
    this.name = data.name();
    this.send = send;
    this.recv = recv;
    this.sent = world.rank() == ROOT ? send : recv;
    int size = world.size();
    long count = data.bytes() / unit;
    counts = filled(size, count);
    shares = filled(size, data.share());
    displs = LongStream.range(0, size).map(r -> r * count).toArray();
    byteDispls = LongStream.range(0, size).map(r -> r * data.bytes()).toArray();
    types = new Datatype<?>[size];
    Arrays.fill(types, type);
  }

  private static long[] filled(int length, long value) {
    long[] array = new long[length];
    Arrays.fill(array, value);
    return array;
  }

  /** Returns the blocking call. */
  Runnable blocking() {
    return switch (name) {
      case "barrier" -> world::barrier;
      case "bcast" -> () -> world.bcast(sent, ROOT);
      case "gather" -> () -> world.gather(send, recv, ROOT);
      case "gatherv" -> () -> world.gatherv(send, recv, counts, displs, ROOT);
      case "scatter" -> () -> world.scatter(send, recv, ROOT);
      case "scatterv" -> () -> world.scatterv(send, counts, displs, recv, ROOT);
      case "allgather" -> () -> world.allgather(send, recv);
      case "allgatherv" -> () -> world.allgatherv(send, recv, counts, displs);
      case "alltoall" -> () -> world.alltoall(send, recv);
      case "alltoallv" -> () -> world.alltoallv(send, counts, displs, recv, counts, displs);
      case "alltoallw" ->
        () -> world.alltoallw(send, counts, byteDispls, types, recv, counts, byteDispls, types);
      case "reduce" -> () -> world.reduce(send, recv, Op.SUM, ROOT);
      case "allreduce" -> () -> world.allreduce(send, recv, Op.SUM);
      case "reduce_scatter_block" -> () -> world.reduceScatterBlock(send, recv, Op.SUM);
      case "reduce_scatter" -> () -> world.reduceScatter(send, recv, shares, Op.SUM);
      case "scan" -> () -> world.scan(send, recv, Op.SUM);
      case "exscan" -> () -> world.exscan(send, recv, Op.SUM);
      default -> throw unknown();
    };
  }

  /** Returns a start of the nonblocking call. */
  Supplier<Request> nonblocking() {
    return switch (name) {
      case "bcast" -> () -> world.ibcast(sent, ROOT);
      case "gather" -> () -> world.igather(send, recv, ROOT);
      case "scatter" -> () -> world.iscatter(send, recv, ROOT);
      case "allgather" -> () -> world.iallgather(send, recv);
      case "alltoall" -> () -> world.ialltoall(send, recv);
      case "reduce" -> () -> world.ireduce(send, recv, Op.SUM, ROOT);
      case "allreduce" -> () -> world.iallreduce(send, recv, Op.SUM);
      case "reduce_scatter_block" -> () -> world.ireduceScatterBlock(send, recv, Op.SUM);
      default -> throw unknown();
    };
  }

  /** Makes the persistent call; to be closed. */
  Persistent persistent() {
    return switch (name) {
      case "barrier" -> world.barrierInit(null);
      case "bcast" -> world.bcastInit(sent, ROOT, null);
      case "gather" -> world.gatherInit(send, recv, ROOT, null);
      case "gatherv" -> world.gathervInit(send, recv, counts, displs, ROOT, null);
      case "scatter" -> world.scatterInit(send, recv, ROOT, null);
      case "scatterv" -> world.scattervInit(send, counts, displs, recv, ROOT, null);
      case "allgather" -> world.allgatherInit(send, recv, null);
      case "allgatherv" -> world.allgathervInit(send, recv, counts, displs, null);
      case "alltoall" -> world.alltoallInit(send, recv, null);
      case "alltoallv" -> world.alltoallvInit(send, counts, displs, recv, counts, displs, null);
      case "alltoallw" -> world.alltoallwInit(send, counts, byteDispls, types, recv, counts, byteDispls, types, null);
      case "reduce" -> world.reduceInit(send, recv, Op.SUM, ROOT, null);
      case "allreduce" -> world.allreduceInit(send, recv, Op.SUM, null);
      case "reduce_scatter_block" -> world.reduceScatterBlockInit(send, recv, Op.SUM, null);
      case "reduce_scatter" -> world.reduceScatterInit(send, recv, shares, Op.SUM, null);
      case "scan" -> world.scanInit(send, recv, Op.SUM, null);
      case "exscan" -> world.exscanInit(send, recv, Op.SUM, null);
      default -> throw unknown();
    };
  }

  private IllegalArgumentException unknown() {
    return new IllegalArgumentException("unknown collective: " + name);
  }
}
