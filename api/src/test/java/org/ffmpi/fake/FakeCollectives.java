// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.fake;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Neighbors;
import org.ffmpi.spi.Operation;

/** Collectives that combine nothing: they record their arguments, and end when run. Used by one thread of tests. */
public final class FakeCollectives implements Collectives {
  /** What a collective was asked for. */
  public record Call(String name, Buf<?> send, Buf<?> recv, Op<?> op, int root) {}

  /** Calls in order. */
  public static final List<Call> CALLS = new ArrayList<>();

  /** What the next blocking collective fails with, once. */
  public static MpiException failNext;

  /** Creates the collectives, for the service loader. */
  public FakeCollectives() {}

  private static Operation call(String name, Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    CALLS.add(new Call(name, send, recv, op, root));
    return new FakeOperation(false);
  }

  @Override
  public Operation barrier(Channel channel) {
    return call("barrier", null, null, null, -1);
  }

  @Override
  public Operation bcast(Channel channel, Buf<?> buffer, int root) {
    return call("bcast", buffer, null, null, root);
  }

  @Override
  public Operation gather(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    return call("gather", send, recv, null, root);
  }

  @Override
  public Operation allgather(Channel channel, Buf<?> send, Buf<?> recv) {
    return call("allgather", send, recv, null, -1);
  }

  @Override
  public Operation reduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    return call("reduce", send, recv, op, root);
  }

  @Override
  public Operation allreduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return call("allreduce", send, recv, op, -1);
  }

  @Override
  public Operation scatter(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    return call("scatter", send, recv, null, root);
  }

  @Override
  public Operation alltoall(Channel channel, Buf<?> send, Buf<?> recv) {
    return call("alltoall", send, recv, null, -1);
  }

  @Override
  public Operation gatherv(Channel channel, Buf<?> send, Buf<?>[] recv, int root) {
    return call("gatherv", send, null, null, root);
  }

  @Override
  public Operation scatterv(Channel channel, Buf<?>[] send, Buf<?> recv, int root) {
    return call("scatterv", null, recv, null, root);
  }

  @Override
  public Operation allgatherv(Channel channel, Buf<?> send, Buf<?>[] recv) {
    return call("allgatherv", send, null, null, -1);
  }

  @Override
  public Operation alltoallv(Channel channel, Buf<?>[] send, Buf<?>[] recv) {
    return call("alltoallv", null, null, null, -1);
  }

  @Override
  public Operation neighborAllgather(Channel channel, Neighbors neighbors, Buf<?> send, Buf<?>[] recv) {
    return call("neighborAllgather", send, null, null, -1);
  }

  @Override
  public Operation neighborAlltoall(Channel channel, Neighbors neighbors, Buf<?>[] send, Buf<?>[] recv) {
    return call("neighborAlltoall", null, null, null, -1);
  }

  @Override
  public Operation reduceScatterBlock(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return call("reduceScatterBlock", send, recv, op, -1);
  }

  @Override
  public Operation reduceScatter(Channel channel, Buf<?> send, Buf<?> recv, long[] counts, Op<?> op) {
    return call("reduceScatter", send, recv, op, -1);
  }

  @Override
  public Operation scan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return call("scan", send, recv, op, -1);
  }

  @Override
  public Operation exscan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return call("exscan", send, recv, op, -1);
  }

  @Override
  public Operation persist(Channel channel, Operation operation) {
    return operation;
  }

  @Override
  public void restart(Operation operation) {}

  @Override
  public void run(Channel channel, Operation operation) {
    FakeOperation fake = (FakeOperation) operation;
    if (failNext == null) {
      fake.finish();
    } else {
      fake.failWith(failNext);
      failNext = null;
    }
  }

  @Override
  public void register(Channel channel, Operation operation) {
    channel.engine().register(operation);
  }
}
