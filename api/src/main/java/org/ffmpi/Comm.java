// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.CommImpl;

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
 * <p>Unless noted otherwise, any thread may call a method; it throws {@link MpiException} when an argument is wrong,
 * and with ERR_OTHER after finalize; every error first goes through the communicator's {@linkplain #setErrhandler error
 * handler}, which by default ends the job. What only returns a fact (rank, size, name, error handler) may be asked at
 * any time. {@code ANY_SOURCE}, {@code ANY_TAG} and {@code PROC_NULL} are constants of {@link Constants}.
 */
@Standard({"MPI_Comm"})
public sealed interface Comm extends
    AutoCloseable, ArrayCalls, NamedArrayCalls, WholeArrayCalls, StartedArrayCalls, PointToPointCalls, ProbeCalls,
    CombinedCalls, BufferedCalls, PersistentCalls, PartitionedCalls, PropertyCalls,
    CollectiveCalls, ObjectCalls, SurvivalCalls permits IntraComm, InterComm {
  // ---- what it is

  /**
   * Returns this process's number in the group ({@code MPI_Comm_rank}, MPI-4.1 §7.4.1). Local.
   *
   * @return from 0 to {@link #size} - 1
   */
  @Standard({"MPI_Comm_rank"})
  int rank();

  /**
   * Returns how many processes the group has ({@code MPI_Comm_size}, MPI-4.1 §7.4.1). Local.
   *
   * @return number of ranks, at least 1
   */
  @Standard({"MPI_Comm_size"})
  int size();

  /**
   * Returns whether this communicator lies between two groups ({@code MPI_Comm_test_inter}, MPI-4.1 §7.6.1). Local.
   *
   * @return true for an {@code InterComm}
   */
  @Standard({"MPI_Comm_test_inter"})
  boolean isInter();

  /**
   * Returns what topology this communicator has ({@code MPI_Topo_test}, MPI-4.1 §8.5.5). Local.
   *
   * @return CART for a {@link CartComm}, GRAPH for a {@link GraphComm}, DIST_GRAPH for a {@link DistGraphComm},
   *     otherwise UNDEFINED
   */
  @Standard({"MPI_Topo_test"})
  Topology topology();

  /**
   * Returns the group of this communicator, between two groups this process's own ({@code MPI_Comm_group}, MPI-4.1
   * §7.3.2). Local. The group may be used after the communicator has been closed.
   *
   * @return the processes in the order of their ranks
   */
  @Standard({"MPI_Comm_group"})
  Group group();

  /**
   * Compares two communicators ({@code MPI_Comm_compare}, MPI-4.1 §7.4.1). Local.
   *
   * @param other a communicator of the same kind
   * @return IDENT for the same communicator, CONGRUENT when the same processes have the same ranks in both, SIMILAR
   *     when the same processes have other ranks, otherwise UNEQUAL; of those between two groups both have to agree
   * @throws MpiException ERR_COMM when the other communicator is null, closed or of another session
   */
  @Standard({"MPI_Comm_compare"})
  Comparison compare(Comm other);

  // ---- making others

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
  Comm dup();

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
  Comm dup(Info info);

  /**
   * Starts to make a duplicate and returns at once ({@code MPI_Comm_idup}, MPI-4.1 §7.4.2). Collective. What the
   * duplicate takes over, it takes over as it is now.
   *
   * @return a request that has the new communicator once it is complete
   * @throws MpiException as {@link #dup()}
   */
  @Standard({"MPI_Comm_idup"})
  CommRequest<? extends Comm> idup();

  /**
   * Starts to make a duplicate with hints of its own and returns at once ({@code MPI_Comm_idup_with_info}, MPI-4.1
   * §7.4.2). Collective.
   *
   * @param info hints, as {@link #setInfo}; null for none
   * @return a request that has the new communicator once it is complete
   * @throws MpiException as {@link #dup(Info)}
   */
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<? extends Comm> idup(Info info);

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
  Comm create(Group group);

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
  Comm split(int color, int key);

  /**
   * Makes a communicator of the processes that have not failed ({@code MPIX_Comm_shrink}), in the order of their ranks.
   * Collective; works on a revoked communicator and with further failures meanwhile, and blocks until all ranks that
   * live have called it. It has this one's error handler, no topology, no attributes, no name and no hints.
   *
   * @return the new communicator, to be closed by the program; a process that fails during the call may be in it
   * @throws MpiException ERR_PROC_ABORTED when a rank has finalized instead, ERR_OTHER when one calls {@link #agree}
   *     instead; ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  Comm shrink();

  /**
   * Starts to make a communicator of the processes that have not failed and returns at once
   * ({@code MPIX_Comm_ishrink}). Collective, as {@link #shrink}.
   *
   * @return a request that has the new communicator once it is complete
   * @throws MpiException ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  CommRequest<? extends Comm> ishrink();

  /**
   * Gives the communicator up ({@code MPI_Comm_free}, MPI-4.1 §7.4.3). Local, although the standard calls it
   * collective: other ranks may continue to use theirs. Operations in flight complete. First the attributes are
   * deleted; when a delete function throws, the communicator stays and the exception is thrown. Then its own buffer for
   * buffered mode, if there is one, is detached, which blocks until the messages in it have left. Closing again, and
   * closing after finalize, does nothing.
   *
   * @throws MpiException ERR_COMM when it is the world communicator or that of this process alone
   */
  @Override
  @Standard({"MPI_Comm_free"})
  void close();

  /**
   * Gives the communicator up after all communication on it is complete at this rank ({@code MPI_Comm_disconnect},
   * MPI-4.1 §11.10.4). Collective; blocks until the sends, receives and nonblocking collective operations that have
   * been started on it here are complete, and then does what {@link #close} does. Requests that belong to them stay to
   * be completed. Partitioned operations have to be complete before.
   *
   * @throws MpiException ERR_COMM when it is the world communicator or that of this process alone, or has been closed;
   *     otherwise as {@link #close}
   */
  @Standard({"MPI_Comm_disconnect"})
  void disconnect();

  /**
   * Ends the job ({@code MPI_Abort}, MPI-4.1 §11.4). In a process of its own the call does not return; in a world of
   * threads that world ends, its later calls fail when they would have to wait, and this one throws.
   *
   * @param code exit code of the job, which is its lowest 8 bits; when they are 0 it is 1
   * @throws MpiException ERR_PROC_ABORTED in a world of threads
   */
  @Standard({"MPI_Abort"})
  void abort(int code);

  /**
   * Describes the communicator for messages.
   *
   * @return name, rank and size
   */
  @Override
  String toString();
}
