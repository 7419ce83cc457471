// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/** The collective calls of {@link Comm}. What one rank can check of a call, {@link Collective} does. */
abstract sealed class CollectiveCalls extends PartitionedMessages permits CommProperties {
  CollectiveCalls(World world, Channel channel) {
    super(world, channel);
  }

  /**
   * Blocks until all ranks have called it ({@code MPI_Barrier}, MPI-4.1 §6.3).
   */
  @Standard({"MPI_Barrier"})
  public void barrier() {
    run(new Collective.Barrier());
  }

  /**
   * Starts a barrier and returns at once ({@code MPI_Ibarrier}, MPI-4.1 §6.12.1).
   *
   * @return a request that is complete when all ranks have called it
   */
  @Standard({"MPI_Ibarrier"})
  public Request ibarrier() {
    return start(new Collective.Barrier());
  }

  /**
   * Sends the root's elements to all ranks and blocks until they are here ({@code MPI_Bcast}, MPI-4.1 §6.4).
   *
   * @param buf at the root the elements to send, at the others where they go; the same amount of data everywhere
   * @param root rank that has the data, the same everywhere
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE
   */
  @Standard({"MPI_Bcast", "MPI_Bcast_c"})
  public void bcast(Buf<?> buf, int root) {
    run(new Collective.Bcast(buf, root));
  }

  /**
   * Starts a broadcast and returns at once ({@code MPI_Ibcast}, MPI-4.1 §6.12.2).
   *
   * @param buf as {@link #bcast}; not to be touched until the request is complete
   * @param root rank that has the data, the same everywhere
   * @return the request
   * @throws MpiException as {@link #bcast}
   */
  @Standard({"MPI_Ibcast", "MPI_Ibcast_c"})
  public Request ibcast(Buf<?> buf, int root) {
    return start(new Collective.Bcast(buf, root));
  }

  /**
   * Collects every rank's elements at the root, in rank order, and blocks until this rank's part is done
   * ({@code MPI_Gather}, MPI-4.1 §6.5).
   *
   * @param send this rank's block; at the root {@link Buf#inPlace} when it already lies where it belongs
   * @param recv at the root, room for one block of each rank: its count is {@link Comm#size} times a block's; elsewhere
   *     ignored and possibly null
   * @param root rank that collects, the same everywhere
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code recv} cannot be cut into equal blocks as
   *     long as the root's own
   */
  @Standard({"MPI_Gather", "MPI_Gather_c"})
  public void gather(Buf<?> send, Buf<?> recv, int root) {
    run(new Collective.Gather(send, recv, root));
  }

  /**
   * Collects every rank's elements at the root, whose own block already lies where it belongs ({@code MPI_Gather} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.5).
   *
   * @param buf at the root the whole buffer, of {@link Comm#size} blocks; elsewhere this rank's block
   * @param root rank that collects, the same everywhere
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather", "MPI_Gather_c"})
  public void gather(Buf<?> buf, int root) {
    run(Collective.Gather.inPlace(buf, root, root == channel.rank()));
  }

  /**
   * Starts a gather and returns at once ({@code MPI_Igather}, MPI-4.1 §6.12.3).
   *
   * @param send as {@link #gather(Buf, Buf, int)}; not to be changed until the request is complete
   * @param recv as {@link #gather(Buf, Buf, int)}; not to be touched until the request is complete
   * @param root rank that collects, the same everywhere
   * @return the request
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Igather", "MPI_Igather_c"})
  public Request igather(Buf<?> send, Buf<?> recv, int root) {
    return start(new Collective.Gather(send, recv, root));
  }

  /**
   * Starts a gather in place and returns at once ({@code MPI_Igather} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.3).
   *
   * @param buf as {@link #gather(Buf, int)}; not to be touched until the request is complete
   * @param root rank that collects, the same everywhere
   * @return the request
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Igather", "MPI_Igather_c"})
  public Request igather(Buf<?> buf, int root) {
    return start(Collective.Gather.inPlace(buf, root, root == channel.rank()));
  }

  /**
   * Combines the ranks' elements, each with the one at the same place, into the root's buffer and blocks until this
   * rank's part is done ({@code MPI_Reduce}, MPI-4.1 §6.9.1).
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements; at the root {@link Buf#inPlace} when they lie in {@code recv}
   * @param recv at the root the result, of the same count and type as {@code send}; elsewhere ignored and possibly null
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type;
   *     ERR_COUNT when the buffers differ in count
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  public <T> void reduce(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
    run(new Collective.Reduce(send, recv, op, root));
  }

  /**
   * Combines the ranks' elements into the root's buffer, which holds the root's own ({@code MPI_Reduce} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.9.1).
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements; at the root replaced by the result
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  public <T> void reduce(Buf<T> buf, Op<? super T> op, int root) {
    run(Collective.Reduce.inPlace(buf, op, root, root == channel.rank()));
  }

  /**
   * Starts a reduction to one rank and returns at once ({@code MPI_Ireduce}, MPI-4.1 §6.12.7).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduce(Buf, Buf, Op, int)}; not to be changed until the request is complete
   * @param recv as {@link #reduce(Buf, Buf, Op, int)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere
   * @return the request
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Ireduce", "MPI_Ireduce_c"})
  public <T> Request ireduce(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
    return start(new Collective.Reduce(send, recv, op, root));
  }

  /**
   * Starts a reduction in place and returns at once ({@code MPI_Ireduce} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.7).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduce(Buf, Op, int)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere
   * @return the request
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Ireduce", "MPI_Ireduce_c"})
  public <T> Request ireduce(Buf<T> buf, Op<? super T> op, int root) {
    return start(Collective.Reduce.inPlace(buf, op, root, root == channel.rank()));
  }

  /**
   * Combines the ranks' elements, each with the one at the same place, and blocks until every rank's result is here
   * ({@code MPI_Allreduce}, MPI-4.1 §6.9.6). All ranks get the same bits.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
   * @param recv the result, of the same count and type as {@code send}
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when the buffers differ in count
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  public <T> void allreduce(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    run(new Collective.Allreduce(send, recv, op));
  }

  /**
   * Combines the ranks' elements in place ({@code MPI_Allreduce} with {@code MPI_IN_PLACE}, MPI-4.1 §6.9.6).
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  public <T> void allreduce(Buf<T> buf, Op<? super T> op) {
    run(new Collective.Allreduce(Buf.inPlace(), buf, op));
  }

  /**
   * Starts a reduction to all ranks and returns at once ({@code MPI_Iallreduce}, MPI-4.1 §6.12.8).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #allreduce(Buf, Buf, Op)}; not to be changed until the request is complete
   * @param recv as {@link #allreduce(Buf, Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  public <T> Request iallreduce(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return start(new Collective.Allreduce(send, recv, op));
  }

  /**
   * Starts a reduction to all ranks in place and returns at once ({@code MPI_Iallreduce} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.12.8).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #allreduce(Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  public <T> Request iallreduce(Buf<T> buf, Op<? super T> op) {
    return start(new Collective.Allreduce(Buf.inPlace(), buf, op));
  }

  /** Checks a collective call and drives it to its end in this thread. */
  private void run(Collective call) {
    if (call.isCounted()) {
      start(call).await(); // which holds the memory
      return;
    }
    check(call);
    Operation operation;
    try {
      operation = call.begin(world.collectives(), channel);
      world.collectives().run(channel, operation);
    } catch (RuntimeException e) {
      throw failed(e);
    }
    if (operation.error() != null) {
      throw raise(operation.error());
    }
  }

  /** Checks a collective call and hands it to the engine's progress. */
  private Request start(Collective call) {
    check(call);
    try {
      return new Request(this, Request.Kind.COLLECTIVE, call.isCounted()
          ? HeldOperation.start(world, () -> register(call), call.used(channel))
          : register(call));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private Operation register(Collective call) {
    Operation operation = call.begin(world.collectives(), channel);
    world.collectives().register(channel, operation);
    return operation;
  }

  private void check(Collective call) {
    checkOpen();
    MpiException wrong = channel.local() != channel.remote() ? notOffered() : call.check(channel);
    if (wrong != null) {
      throw raise(wrong);
    }
  }

  private MpiException notOffered() {
    return MpiException.argument(ErrorClass.ERR_COMM, "communicator", this,
        "those of one group: collective operations between two groups are not offered, merge() makes one of both");
  }
}
