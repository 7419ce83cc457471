// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.collective.OpAccess;
import org.ffmpi.collectives.execute.Execution;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Neighbors;
import org.ffmpi.spi.Operation;

/** Makes executions of calls, to be run or begun by a test. A buffer in place is {@link Buf#inPlace}. */
public final class BoundCalls {
  final ScheduledCollectives port = new ScheduledCollectives();

  void run(Channel channel, Operation operation) {
    port.run(channel, (Execution) operation);
  }

  public void register(Channel channel, Operation operation) {
    ((Execution) operation).begin();
  }

  Execution barrier(Channel channel) {
    return port.bind(channel, new CollectiveCall().begin(Collective.BARRIER));
  }

  Execution bcast(Channel channel, Buf<?> buffer, int root) {
    CollectiveCall call = rooted(Collective.BCAST, root);
    set(channel.rank() == root ? call.send() : call.recv(), buffer);
    return port.bind(channel, call);
  }

  Execution gather(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    CollectiveCall call = rooted(Collective.GATHER, root);
    set(call, call.send(), send);
    if (channel.rank() == root) {
      set(call.recv(), recv);
    }
    return port.bind(channel, call);
  }

  Execution scatter(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    CollectiveCall call = rooted(Collective.SCATTER, root);
    if (channel.rank() == root) {
      set(call.send(), send);
    }
    set(call, call.recv(), recv);
    return port.bind(channel, call);
  }

  Execution allgather(Channel channel, Buf<?> send, Buf<?> recv) {
    return both(channel, new CollectiveCall().begin(Collective.ALLGATHER), send, recv);
  }

  public Execution alltoall(Channel channel, Buf<?> send, Buf<?> recv) {
    return both(channel, new CollectiveCall().begin(Collective.ALLTOALL), send, recv);
  }

  Execution gatherv(Channel channel, Buf<?> send, Buf<?>[] recv, int root) {
    CollectiveCall call = rooted(Collective.GATHERV, root);
    set(call, call.send(), send);
    set(call.recvBlocks(), recv);
    return port.bind(channel, call);
  }

  Execution scatterv(Channel channel, Buf<?>[] send, Buf<?> recv, int root) {
    CollectiveCall call = rooted(Collective.SCATTERV, root);
    set(call.sendBlocks(), send);
    set(call, call.recv(), recv);
    return port.bind(channel, call);
  }

  Execution allgatherv(Channel channel, Buf<?> send, Buf<?>[] recv) {
    CollectiveCall call = new CollectiveCall().begin(Collective.ALLGATHERV);
    set(call, call.send(), send);
    set(call.recvBlocks(), recv);
    return port.bind(channel, call);
  }

  public Execution alltoallv(Channel channel, Buf<?>[] send, Buf<?>[] recv) {
    return port.bind(channel, blocks(Collective.ALLTOALLV, send, recv));
  }

  /** Describes a call with blocks on both sides; {@code send} is null in place. */
  public static CollectiveCall blocks(Collective operation, Buf<?>[] send, Buf<?>[] recv) {
    CollectiveCall call = new CollectiveCall().begin(operation);
    if (send == null) {
      call.setInPlace();
    }
    set(call.sendBlocks(), send);
    set(call.recvBlocks(), recv);
    return call;
  }

  Execution neighborAllgather(Channel channel, Neighbors neighbors, Buf<?> send, Buf<?>[] recv) {
    CollectiveCall call = new CollectiveCall().begin(Collective.NEIGHBOR_ALLGATHER);
    call.setNeighbors(neighbors);
    set(call.send(), send);
    set(call.recvBlocks(), recv);
    return port.bind(channel, call);
  }

  Execution neighborAlltoall(Channel channel, Neighbors neighbors, Buf<?>[] send, Buf<?>[] recv) {
    CollectiveCall call = blocks(Collective.NEIGHBOR_ALLTOALL, send, recv);
    call.setNeighbors(neighbors);
    return port.bind(channel, call);
  }

  Execution reduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    CollectiveCall call = rooted(Collective.REDUCE, root);
    call.setKernel(OpAccess.kernel(op, (recv == null ? send : recv).type()), op.isCommutative());
    return both(channel, call, send, recv);
  }

  Execution allreduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return reduction(
        Collective.ALLREDUCE, channel, send, recv, 0, OpAccess.kernel(op, recv.type()), !op.isCommutative());
  }

  /** A reduction; {@code send} is null in place, {@code recv} where the result does not come. */
  Execution reduction(
      Collective collective, Channel channel, Buf<?> send, Buf<?> recv, int root, ReduceKernel kernel,
      boolean ordered) {
    CollectiveCall call = rooted(collective, root);
    call.setKernel(kernel, !ordered);
    return both(channel, call, send == null ? Buf.inPlace() : send, recv);
  }

  // ---- descriptions

  private static CollectiveCall rooted(Collective operation, int root) {
    CollectiveCall call = new CollectiveCall().begin(operation);
    call.setRoot(root);
    return call;
  }

  private Execution both(Channel channel, CollectiveCall call, Buf<?> send, Buf<?> recv) {
    set(call, call.send(), send);
    set(call, call.recv(), recv);
    return port.bind(channel, call);
  }

  /** Sets a buffer, unless it is in place or null. */
  private static void set(CollectiveCall call, FlatBuffer into, Buf<?> buf) {
    if (buf != null && buf.isInPlace()) {
      call.setInPlace();
    } else if (buf != null) {
      set(into, buf);
    }
  }

  private static void set(FlatBlocks into, Buf<?>[] bufs) {
    if (bufs != null) {
      into.resize(bufs.length);
      for (int i = 0; i < bufs.length; i++) {
        set(into.get(i), bufs[i]);
      }
    }
  }

  static void set(FlatBuffer into, Buf<?> buf) {
    into.set(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(), buf.count(),
        BufImpl.of(buf).plan());
  }
}
