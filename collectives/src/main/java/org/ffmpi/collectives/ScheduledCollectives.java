// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Neighbors;
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

  private final WeakTable<Engine, Boards> boards = new WeakTable<>() {
    @Override
    Boards make(Engine engine) {
      Boards made = new Boards();
      Board.CLEANER.register(engine, made::close);
      return made;
    }
  };

  private final Function<Channel, ChannelState> newState =
      channel -> new ChannelState(channel, pools.of(channel.engine()));

  /** Creates the provider; {@link java.util.ServiceLoader} does. */
  public ScheduledCollectives() {}

  @Override
  public Operation barrier(Channel channel) {
    ChannelState state = state(channel);
    Schedule schedule = isWithin(channel)
        ? state.schedules.find(Collective.BARRIER, 0, 0, 1, false, false, state.board() != null, 1, 1)
        : state.schedules.find(shape(Collective.BARRIER, channel, 0, 0, 1, false, false, null, false));
    return bind(state, schedule, channel, null, null, null);
  }

  @Override
  public Operation bcast(Channel channel, Buf<?> buffer, int root) {
    ChannelState state = state(channel);
    if (root == Constants.PROC_NULL) {
      return bind(state, state.schedules.find(shape(Collective.BCAST, channel, root, 0, 1, false, false, null, false)),
          channel, null, null, null);
    }
    long bytes = buffer.plan().packedBytes(buffer.count());
    long grain = Place.grain(buffer);
    Schedule schedule = isWithin(channel)
        ? state.schedules.find(Collective.BCAST, root, bytes, 1, false, false, state.board() != null, grain, grain)
        : state.schedules.find(shape(Collective.BCAST, channel, root, bytes, 1, false, false, null, false));
    return schedule.shape.isRoot()
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
    Schedule schedule = state.schedules.find(Collective.GATHER, root, bytes, 1, inPlace, false, state.board() != null,
        inPlace ? 1 : Place.grain(send), atRoot ? Place.grain(recv) : 1);
    return bind(state, schedule, channel, contribution, result, null);
  }

  @Override
  public Operation scatter(Channel channel, Buf<?> send, Buf<?> recv, int root) {
    ChannelState state = state(channel);
    boolean atRoot = channel.rank() == root;
    boolean inPlace = atRoot && recv.isInPlace();
    Buf<?> result = inPlace ? null : recv;
    long bytes = atRoot
        ? send.plan().packedBytes(send.count()) / channel.size()
        : recv.plan().packedBytes(recv.count());
    Schedule schedule = state.schedules.find(Collective.SCATTER, root, bytes, 1, inPlace, false, state.board() != null,
        atRoot ? Place.grain(send) : 1, inPlace ? 1 : Place.grain(recv));
    return bind(state, schedule, channel, atRoot ? send : null, result, null);
  }

  @Override
  public Operation allgather(Channel channel, Buf<?> send, Buf<?> recv) {
    return exchange(Collective.ALLGATHER, channel, send, recv);
  }

  @Override
  public Operation alltoall(Channel channel, Buf<?> send, Buf<?> recv) {
    return exchange(Collective.ALLTOALL, channel, send, recv);
  }

  private Operation exchange(Collective collective, Channel channel, Buf<?> send, Buf<?> recv) {
    ChannelState state = state(channel);
    boolean inPlace = send.isInPlace();
    long bytes = recv.plan().packedBytes(recv.count()) / channel.size();
    Schedule schedule = state.schedules.find(
        collective, 0, bytes, 1, inPlace, false, state.board() != null, inPlace ? 1 : Place.grain(send),
        Place.grain(recv));
    return bind(state, schedule, channel, inPlace ? null : send, recv, null);
  }

  // ---- blocks, one for each rank or neighbour

  @Override
  public Operation gatherv(Channel channel, Buf<?> send, Buf<?>[] recv, int root) {
    boolean inPlace = send != null && send.isInPlace();
    return blocks(Collective.GATHERV, channel, root, inPlace, null, inPlace ? null : one(send), recv);
  }

  @Override
  public Operation scatterv(Channel channel, Buf<?>[] send, Buf<?> recv, int root) {
    boolean inPlace = recv != null && recv.isInPlace();
    return blocks(Collective.SCATTERV, channel, root, inPlace, null, send, inPlace ? null : one(recv));
  }

  @Override
  public Operation allgatherv(Channel channel, Buf<?> send, Buf<?>[] recv) {
    boolean inPlace = send.isInPlace();
    return blocks(Collective.ALLGATHERV, channel, 0, inPlace, null, inPlace ? null : one(send), recv);
  }

  @Override
  public Operation alltoallv(Channel channel, Buf<?>[] send, Buf<?>[] recv) {
    return blocks(Collective.ALLTOALLV, channel, 0, send == null, null, send, recv);
  }

  @Override
  public Operation neighborAllgather(Channel channel, Neighbors neighbors, Buf<?> send, Buf<?>[] recv) {
    return blocks(Collective.NEIGHBOR_ALLGATHER, channel, 0, false, neighbors, one(send), recv);
  }

  @Override
  public Operation neighborAlltoall(Channel channel, Neighbors neighbors, Buf<?>[] send, Buf<?>[] recv) {
    return blocks(Collective.NEIGHBOR_ALLTOALL, channel, 0, false, neighbors, send, recv);
  }

  private static Buf<?>[] one(Buf<?> buf) {
    return buf == null ? null : new Buf<?>[] {buf};
  }

  private Execution blocks(
      Collective collective, Channel channel, int root, boolean inPlace, Neighbors neighbors, Buf<?>[] send,
      Buf<?>[] recv) {
    ChannelState state = state(channel);
    Schedule schedule = state.schedules.find(
        shape(collective, channel, root, 1, 1, inPlace, false, neighbors, state.board() != null));
    Execution execution = state.take();
    execution.bindBlocks(schedule, channel, channel.collective(), channel.nextCollectiveTag(), send, recv);
    return execution;
  }

  // ---- reductions

  @Override
  public Operation reduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op, int root) {
    boolean atRoot = isWithin(channel) ? channel.rank() == root : root == Constants.ROOT;
    if (!isWithin(channel) && root == Constants.PROC_NULL) {
      ChannelState state = state(channel);
      return bind(state, state.schedules.find(shape(Collective.REDUCE, channel, root, 0, 1, false, false, null, false)),
          channel, null, null, null);
    }
    boolean inPlace = atRoot && send != null && send.isInPlace();
    return reduction(Collective.REDUCE, channel, inPlace || send == null ? null : send, atRoot ? recv : null, root,
        op.kernel((atRoot ? recv : send).type()), !op.isCommutative());
  }

  @Override
  public Operation allreduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return reduction(Collective.ALLREDUCE, channel, send.isInPlace() ? null : send, recv, 0,
        op.kernel(recv.type()), !op.isCommutative());
  }

  @Override
  public Operation scan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return reduction(Collective.SCAN, channel, send.isInPlace() ? null : send, recv, 0,
        op.kernel(recv.type()), !op.isCommutative());
  }

  @Override
  public Operation exscan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    return reduction(Collective.EXSCAN, channel, send.isInPlace() ? null : send, recv, 0,
        op.kernel(recv.type()), !op.isCommutative());
  }

  @Override
  public Operation reduceScatterBlock(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op) {
    boolean inPlace = send.isInPlace();
    long units = inPlace ? recv.count() / channel.size() : recv.count();
    return parts(Collective.REDUCE_SCATTER_BLOCK, channel, send, recv, units, null, op);
  }

  @Override
  public Operation reduceScatter(Channel channel, Buf<?> send, Buf<?> recv, long[] counts, Op<?> op) {
    Counts parts = new Counts(counts);
    return parts(Collective.REDUCE_SCATTER, channel, send, recv, parts.total(), parts, op);
  }

  /** Binds a reduction of which each rank gets a part. */
  private Execution parts(
      Collective collective, Channel channel, Buf<?> send, Buf<?> recv, long units, Counts counts, Op<?> op) {
    ChannelState state = state(channel);
    boolean inPlace = send.isInPlace();
    Schedule schedule = state.schedules.find(
        shape(collective, channel, 0, units, recv.plan().size(), inPlace, !op.isCommutative(), counts,
            isShared(state, recv)));
    return bind(state, schedule, channel, inPlace ? null : send, recv, op.kernel(recv.type()));
  }

  /** Binds a reduction; {@code send} is null in place, {@code recv} where the result does not come. */
  Execution reduction(
      Collective collective, Channel channel, Buf<?> send, Buf<?> recv, int root, ReduceKernel kernel,
      boolean ordered) {
    ChannelState state = state(channel);
    Buf<?> one = recv != null ? recv : send;
    Schedule schedule = isWithin(channel)
        ? state.schedules.find(collective, root, one.count(), one.plan().size(), send == null, ordered,
            isShared(state, one), 1, 1)
        : state.schedules.find(
            shape(collective, channel, root, one.count(), one.plan().size(), false, ordered, null, false));
    return bind(state, schedule, channel, send, recv, kernel);
  }

  // ---- binding and running

  private ChannelState state(Channel channel) {
    return channel.attachment(newState);
  }

  private static boolean isWithin(Channel channel) {
    return channel.local() == channel.remote();
  }

  /** Whether elements can be shown is the same on all ranks, whose types are the same. */
  private static boolean isShared(ChannelState state, Buf<?> elements) {
    return state.board() != null && Execution.canBeShown(elements.plan());
  }

  private static Shape shape(
      Collective collective, Channel channel, int root, long units, long unitBytes, boolean inPlace, boolean ordered,
      Object layout, boolean shared) {
    int others = isWithin(channel) ? 0 : channel.remote().size();
    return new Shape(collective, channel.rank(), channel.size(), root, units, unitBytes, inPlace, ordered, others,
        layout, shared, 1, 1);
  }

  private static Execution bind(
      ChannelState state, Schedule schedule, Channel channel, Buf<?> send, Buf<?> receive, ReduceKernel kernel) {
    Execution execution = state.take();
    execution.bind(
        schedule, channel, channel.collective(), channel.nextCollectiveTag(), send, receive, kernel);
    return execution;
  }

  @Override
  public Operation persist(Channel channel, Operation operation) {
    Execution execution = (Execution) operation;
    execution.persist(channel.persistent(), channel.nextPersistentTag());
    ChannelState state = state(channel);
    if (state.mayHaveBoard() && execution.mayShare()) {
      Schedule shared = state.schedules.find(execution.schedule().shape.withBoard());
      long capacity = Board.capacityFor(shared.shownBytes(), channel.size());
      Board board = shared.isShared ? makeBoard(channel, Board.FEW_SLOTS, capacity) : null;
      if (board != null) {
        execution.persist(shared, board);
      } else if (execution.schedule().isShared) {
        execution.persist(state.schedules.find(execution.schedule().shape.withoutBoard()), null);
      }
    }
    return operation;
  }

  @Override
  public void discard(Operation persistent) {
    ((Execution) persistent).discard();
  }

  /** Makes a board for all ranks of a communicator, all of which call this; null when there is no memory. */
  private Board makeBoard(Channel channel, int slots, long capacity) {
    MemorySegment words = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2);
    if (channel.rank() == 0) {
      words.setAtIndex(ValueLayout.JAVA_LONG, 0,
          boards.of(channel.engine()).allocate(channel.engine(), channel.size(), slots, capacity));
      words.setAtIndex(ValueLayout.JAVA_LONG, 1, capacity);
    }
    ChannelState state = state(channel);
    Buf<?> buf = Buf.of(words, 2, Datatype.INT64_T);
    Schedule schedule = state.schedules.find(
        shape(Collective.BCAST, channel, 0, words.byteSize(), 1, false, false, null, false));
    Execution spread = channel.rank() == 0
        ? bind(state, schedule, channel, buf, null, null)
        : bind(state, schedule, channel, null, buf, null);
    spread.run();
    long offset = words.getAtIndex(ValueLayout.JAVA_LONG, 0);
    if (words.getAtIndex(ValueLayout.JAVA_LONG, 1) != capacity) {
      throw new MpiException(ErrorClass.ERR_COUNT,
          "rank 0 makes a persistent collective of another length: counts or types differ between ranks");
    }
    return offset == Boards.NONE ? null : Boards.open(channel, offset, slots, capacity);
  }

  @Override
  public void restart(Operation operation) {
    Execution execution = (Execution) operation;
    execution.rewind();
    execution.begin();
  }

  @Override
  public void run(Channel channel, Operation operation) {
    ChannelState state = state(channel);
    boolean isDue = state.countCall(); // also where the call fails, which may be at this rank only
    try {
      ((Execution) operation).run();
    } catch (MpiException e) {
      if (isDue && e.errorClass() != ErrorClass.ERR_PROC_ABORTED) {
        try {
          state.board(makeBoard(channel, Board.SLOTS, Board.capacity(channel.size())));
        } catch (MpiException another) {
          e.addSuppressed(another);
        }
      }
      throw e;
    }
    if (isDue) {
      state.board(makeBoard(channel, Board.SLOTS, Board.capacity(channel.size())));
    }
  }

  @Override
  public void register(Channel channel, Operation operation) {
    ((Execution) operation).begin();
  }
}
