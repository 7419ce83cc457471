// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.function.Function;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The collective operations, each as a schedule of messages and local steps. One object serves all communicators and
 * all ranks of a JVM; any thread may call.
 */
public final class ScheduledCollectives implements Collectives {
  private final WeakTable<Engine, ScratchPool> pools = new WeakTable<>() {
    @Override
    ScratchPool make(Engine engine) {
      return ChannelState.poolFor(engine);
    }
  };

  private final Function<Channel, ChannelState> newState =
      channel -> new ChannelState(channel, pools.of(channel.engine()));

  /** Creates the provider; {@link java.util.ServiceLoader} does. */
  public ScheduledCollectives() {}

  @Override
  public Operation barrier(Channel channel) {
    ChannelState state = state(channel);
    Schedule schedule = state.schedules.find(Collective.BARRIER, 0, 0, 1, false, false, 1, 1);
    return bind(state, schedule, channel, null, null, null);
  }

  @Override
  public Operation bcast(Channel channel, Buf<?> buffer, int root) {
    ChannelState state = state(channel);
    long bytes = buffer.plan().packedBytes(buffer.count());
    long grain = Place.grain(buffer);
    Schedule schedule = state.schedules.find(Collective.BCAST, root, bytes, 1, false, false, grain, grain);
    return channel.rank() == root
        ? bind(state, schedule, channel, buffer, null, null)
        : bind(state, schedule, channel, null, buffer, null);
  }

  @Override
  public Operation gather(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    ChannelState state = state(channel);
    boolean atRoot = channel.rank() == root;
    boolean inPlace = atRoot && send.isInPlace();
    Buf<?> contribution = inPlace ? null : send;
    Buf<?> result = atRoot ? recv : null;
    long bytes = atRoot
        ? recv.plan().packedBytes(recv.count()) / channel.size()
        : send.plan().packedBytes(send.count());
    Schedule schedule = state.schedules.find(Collective.GATHER, root, bytes, 1, inPlace, false,
        inPlace ? 1 : Place.grain(send), atRoot ? Place.grain(recv) : 1);
    return bind(state, schedule, channel, contribution, result, null);
  }

  @Override
  public Operation allgather(Channel channel, Buf<?> send, Buf<?> recv) {
    ChannelState state = state(channel);
    boolean inPlace = send.isInPlace();
    long bytes = recv.plan().packedBytes(recv.count()) / channel.size();
    Schedule schedule = state.schedules.find(Collective.ALLGATHER, 0, bytes, 1, inPlace, false,
        inPlace ? 1 : Place.grain(send), Place.grain(recv));
    return bind(state, schedule, channel, inPlace ? null : send, recv, null);
  }

  @Override
  public Operation reduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    boolean atRoot = channel.rank() == root;
    boolean inPlace = atRoot && send.isInPlace();
    return reduction(Collective.REDUCE, channel, inPlace ? null : send, atRoot ? recv : null, root,
        op.kernel((atRoot ? recv : send).type()), !op.isCommutative());
  }

  @Override
  public Operation allreduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return reduction(Collective.ALLREDUCE, channel, send.isInPlace() ? null : send, recv, 0,
        op.kernel(recv.type()), !op.isCommutative());
  }

  /** Binds a reduction; {@code send} is null in place, {@code recv} where the result does not come. */
  Execution reduction(
      Collective collective, Channel channel, Buf<?> send, Buf<?> recv, int root, ReduceKernel kernel,
      boolean ordered) {
    ChannelState state = state(channel);
    Buf<?> one = recv != null ? recv : send;
    Schedule schedule = state.schedules.find(
        collective, root, one.count(), one.plan().size(), send == null, ordered, 1, 1);
    return bind(state, schedule, channel, send, recv, kernel);
  }

  private ChannelState state(Channel channel) {
    return channel.attachment(newState);
  }

  private static Execution bind(
      ChannelState state, Schedule schedule, Channel channel, Buf<?> send, Buf<?> receive, ReduceKernel kernel) {
    Execution execution = state.take();
    execution.bind(
        schedule, channel, channel.collective(), channel.nextCollectiveTag(), send, receive, kernel);
    return execution;
  }

  @Override
  public void run(Channel channel, Operation operation) {
    ((Execution) operation).run();
  }

  @Override
  public void register(Channel channel, Operation operation) {
    ((Execution) operation).begin();
  }
}
