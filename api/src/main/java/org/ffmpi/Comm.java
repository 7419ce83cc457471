// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/**
 * A communicator: a group of processes, numbered by <em>rank</em> from 0, and a context in which their messages meet no
 * others ({@code MPI_Comm}, MPI-4.1 chapter 7).
 *
 * {@snippet :
 * double[] data = new double[1024];
 * int peer = 1 - world.rank();
 * if (world.rank() == 0) {
 *   world.send(data, peer, 7);
 *   world.recv(data, peer, 7);
 * } else {
 *   world.recv(data, peer, 7);
 *   world.send(data, peer, 7);
 * }
 * world.allreduce(Buf.of(data), Op.SUM);
 * }
 *
 * <p>Messages are sent from and received into a {@link Buf}, or on the hot calls a bare array, all of whose elements
 * are meant. Between two ranks messages do not overtake each other: of those that a receive matches, it gets the first
 * that was sent. Collective operations have to be called by all ranks in the same order.
 *
 * <p>Unless a method says otherwise: any thread may call it; it throws {@link MpiException} when an argument is wrong,
 * and with ERR_OTHER after finalize; every error first goes through the communicator's
 * {@linkplain #setErrhandler error handler}, which by default ends the job. What only tells a fact (rank, size, name,
 * error handler) may be asked at any time. {@code ANY_SOURCE}, {@code ANY_TAG} and
 * {@code PROC_NULL} are constants of {@link Constants}.
 */
@Standard({"MPI_Comm"})
public abstract sealed class Comm extends CommProperties implements CollectiveCalls, AutoCloseable
    permits TopologyCalls, InterComm {
  final CommCollectives collectives;
  private final ContextSupply supply = new ContextSupply(this::spread);

  /**
   * Creates a communicator and makes it known to the engine.
   *
   * @param name what it is called; empty for those that programs make
   * @param errhandler what happens at first when a call on it fails
   */
  Comm(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    super(world, channel, name, errhandler);
    collectives = new CommCollectives(state);
    engine.opened(channel);
  }

  // ---- what it is

  /**
   * Returns this process's number in the group ({@code MPI_Comm_rank}, MPI-4.1 §7.4.1). Local.
   *
   * @return from 0 to {@link #size} - 1
   */
  @Standard({"MPI_Comm_rank"})
  public int rank() {
    return channel.rank();
  }

  /**
   * Returns how many processes the group has ({@code MPI_Comm_size}, MPI-4.1 §7.4.1). Local.
   *
   * @return number of ranks, at least 1
   */
  @Standard({"MPI_Comm_size"})
  public int size() {
    return channel.size();
  }

  /**
   * Tells whether this communicator lies between two groups ({@code MPI_Comm_test_inter}, MPI-4.1 §7.6.1). Local.
   *
   * @return true for an {@code InterComm}
   */
  @Standard({"MPI_Comm_test_inter"})
  public boolean isInter() {
    return channel.local() != channel.remote();
  }

  /**
   * Tells what topology this communicator has ({@code MPI_Topo_test}, MPI-4.1 §8.5.5). Local.
   *
   * @return CART for a {@link CartComm}, GRAPH for a {@link GraphComm}, DIST_GRAPH for a {@link DistGraphComm},
   *     otherwise UNDEFINED
   */
  @Standard({"MPI_Topo_test"})
  public Topology topology() {
    checkOpen();
    return Topology.UNDEFINED;
  }

  /**
   * Returns the group of this communicator, between two groups this process's own ({@code MPI_Comm_group}, MPI-4.1
   * §7.3.2). Local. The group may be used after the communicator has been closed.
   *
   * @return the processes in the order of their ranks
   */
  @Standard({"MPI_Comm_group"})
  public Group group() {
    checkOpen();
    return new Group(world, channel.local());
  }

  /**
   * Compares two communicators ({@code MPI_Comm_compare}, MPI-4.1 §7.4.1). Local.
   *
   * @param other a communicator of the same kind
   * @return IDENT for the same communicator, CONGRUENT when the same processes have the same ranks in both, SIMILAR
   *     when the same processes have other ranks, otherwise UNEQUAL; of those between two groups both have to agree
   * @throws MpiException ERR_COMM when the other communicator is null or closed
   */
  @Standard({"MPI_Comm_compare"})
  public Comparison compare(Comm other) {
    checkOpen();
    checkComm("other", other);
    if (channel == other.channel) {
      return Comparison.IDENT;
    }
    if (isInter() != other.isInter()) {
      return Comparison.UNEQUAL;
    }
    Comparison locals = Group.compare(channel.local(), other.channel.local());
    Comparison remotes = isInter() ? Group.compare(channel.remote(), other.channel.remote()) : locals;
    Comparison worse = locals.compareTo(remotes) > 0 ? locals : remotes;
    return worse == Comparison.IDENT ? Comparison.CONGRUENT : worse;
  }

  /** Checks a communicator that is another argument of a call. */
  final void checkComm(String argument, Comm comm) {
    if (comm == null || comm.isClosed()) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_COMM, argument, comm, "communicators that have not been closed"));
    }
    if (comm.engine != engine) {
      throw raise(MpiException.argument(ErrorClass.ERR_COMM, argument, comm, "communicators of the same process"));
    }
  }

  // ---- making others

  /** Starts what the {@link ContextSupply} asks for when it is empty: one process takes contexts, all learn of them. */
  abstract Operation spread(long[] first);

  /** Takes the next context for communicators of this one's processes. Collective; blocks if it has to be asked for. */
  final long nextContext() {
    try {
      ContextSupply.Ticket ticket = supply.take();
      if (!ticket.isDone()) {
        engine.await(ticket);
      }
      if (ticket.error() != null) {
        throw ticket.error();
      }
      return ticket.context();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Starts to make a duplicate with the next context, and the attributes of this moment. Collective. */
  final <C extends Comm> CommRequest<C> startDuplicate(LongFunction<C> maker) {
    checkCommunication();
    ContextSupply.Ticket ticket;
    try {
      ticket = supply.take();
    } catch (RuntimeException e) {
      throw failed(e);
    }
    if (ticket.isDone() && ticket.error() == null) {
      C duplicate = maker.apply(ticket.context());
      copyAttributesTo(duplicate);
      return new CommRequest<>(this, engine.completed(), () -> duplicate);
    }
    Consumer<Comm> attributesNow = copyAttributes();
    return new CommRequest<>(this, ticket, () -> {
      C duplicate = maker.apply(ticket.context());
      attributesNow.accept(duplicate);
      return duplicate;
    });
  }

  /**
   * Makes a communicator of the same processes, in which messages meet none of this one's ({@code MPI_Comm_dup},
   * MPI-4.1 §7.4.2). Collective; waits for other ranks seldom, and for none of them to call it. The duplicate has this
   * one's error handler and topology, and of the attributes those that the keys' copy functions give it; it has no
   * name, no hints and no buffer.
   *
   * @return the new communicator, to be closed by the program
   * @throws MpiException what a copy function has thrown, as ERR_OTHER unless it is an MpiException: there is no
   *     duplicate at this rank then
   */
  @Standard({"MPI_Comm_dup"})
  public abstract Comm dup();

  /**
   * Makes a communicator of the same processes with hints of its own ({@code MPI_Comm_dup_with_info}, MPI-4.1 §7.4.2).
   * Collective, as {@link #dup()} but for the hints.
   *
   * @param info hints, as {@link #setInfo}; null for none
   * @return the new communicator, to be closed by the program
   * @throws MpiException as {@link #dup()}; ERR_INFO when the info has been freed, ERR_INFO_VALUE when the value of a
   *     hint is not allowed: there is no duplicate at this rank then
   */
  @Standard({"MPI_Comm_dup_with_info"})
  public Comm dup(Info info) {
    checkOpen();
    CommHints given = ownHints(info);
    Comm duplicate = dup();
    duplicate.setHints(given);
    return duplicate;
  }

  /**
   * Starts to make a duplicate and returns at once ({@code MPI_Comm_idup}, MPI-4.1 §7.4.2). Collective. What the
   * duplicate takes over, it takes over as it is now.
   *
   * @return a request that has the new communicator once it is complete
   * @throws MpiException as {@link #dup()}
   */
  @Standard({"MPI_Comm_idup"})
  public abstract CommRequest<? extends Comm> idup();

  /**
   * Starts to make a duplicate with hints of its own and returns at once ({@code MPI_Comm_idup_with_info}, MPI-4.1
   * §7.4.2). Collective.
   *
   * @param info hints, as {@link #setInfo}; null for none
   * @return a request that has the new communicator once it is complete
   * @throws MpiException as {@link #dup(Info)}
   */
  @Standard({"MPI_Comm_idup_with_info"})
  public CommRequest<? extends Comm> idup(Info info) {
    checkOpen();
    CommHints given = ownHints(info);
    return idup().with(given);
  }

  /** Reads the hints of a duplicate. When they are wrong its context is taken all the same, as the others take it. */
  private CommHints ownHints(Info info) {
    try {
      return CommHints.NONE.with(Info.entries(info));
    } catch (MpiException e) {
      supply.take();
      throw raise(e);
    }
  }

  /**
   * Makes a communicator of some of this one's processes ({@code MPI_Comm_create}, MPI-4.1 §7.4.2). Collective: all
   * ranks call it, those outside with the empty group, or with the group of another communicator that is made by the
   * same call and has no process in common.
   *
   * @param group processes of this communicator, in the order of their new ranks; at all its members the same
   * @return the new communicator, to be closed by the program; null at processes that are not in the group
   * @throws MpiException ERR_GROUP when the group is null, closed or not a subset
   */
  @Standard({"MPI_Comm_create"})
  public abstract Comm create(Group group);

  /**
   * Makes a communicator of all ranks with the same colour, for each colour ({@code MPI_Comm_split}, MPI-4.1 §7.4.2).
   * Collective; blocks until all ranks have called it.
   *
   * @param color which one this process goes to, not negative, or {@code UNDEFINED} for none
   * @param key by which ranks are ordered in the new communicator; equal ones as here
   * @return the new communicator, to be closed by the program; null for {@code UNDEFINED}
   * @throws MpiException ERR_ARG when the colour is negative and not {@code UNDEFINED}
   */
  @Standard({"MPI_Comm_split"})
  public abstract Comm split(int color, int key);

  /**
   * Gives the communicator up ({@code MPI_Comm_free}, MPI-4.1 §7.4.3). Local, although the standard calls it
   * collective: other ranks may go on using theirs. Operations in flight complete. First the attributes are deleted;
   * when a delete function throws, the communicator stays and the exception is thrown. Then its own buffer for buffered
   * mode, if there is one, is detached, which blocks until the messages in it have left. Closing again, and closing
   * after finalize, does nothing.
   *
   * @throws MpiException ERR_COMM when it is the world communicator or that of this process alone
   */
  @Override
  @Standard({"MPI_Comm_free"})
  public void close() {
    if (isClosed() || !world.isOpen()) {
      return;
    }
    checkCommunication();
    if (channel.pointToPoint() < Channel.FIRST_FREE_CONTEXT) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_COMM, "communicator", this, "those that a program has made"));
    }
    deleteAttributes();
    if (hasBuffer()) {
      detachBuffer();
    }
    markClosed();
    channel.close();
  }

  /**
   * Ends the job ({@code MPI_Abort}, MPI-4.1 §11.4). In a process of its own the call does not return; in a world of
   * threads that world ends, its later calls fail when they would have to wait, and this one throws.
   *
   * @param code exit code of the job, which is its lowest 8 bits; when they are 0 it is 1
   * @throws MpiException ERR_PROC_ABORTED in a world of threads
   */
  @Standard({"MPI_Abort"})
  public void abort(int code) {
    checkOpen();
    String reason = "rank " + world.rank() + " called abort(" + code + ") on " + name();
    MpiException aborted = new MpiException(ErrorClass.ERR_PROC_ABORTED, reason);
    world.abort(code, aborted, reason);
    throw aborted;
  }

  /**
   * Opens a scope for nonblocking operations on this communicator.
   *
   * @return a scope that is to be awaited and closed
   */
  public Requests requests() {
    checkOpen();
    return new Requests(this);
  }

  /**
   * Describes the communicator for messages.
   *
   * @return name, rank and size
   */
  @Override
  public String toString() {
    return (name().isEmpty() ? getClass().getSimpleName() : name()) + "[rank " + rank() + " of " + size() + "]";
  }
}
