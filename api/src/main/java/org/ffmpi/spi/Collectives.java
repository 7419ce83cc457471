// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.Buf;
import org.ffmpi.Op;

/**
 * The port of the collective operations. Found by {@link java.util.ServiceLoader}. Arguments arrive checked as far as
 * one rank can check them; every call returns an operation, which a blocking caller hands to {@link #run}.
 *
 * <p>A buffer that MPI allows to be in place is {@link Buf#inPlace()}; one that is not significant at this rank is
 * null.
 */
public interface Collectives {
  /**
   * Starts a barrier ({@code MPI_Ibarrier}).
   *
   * @param channel the communicator's channel
   * @return the operation
   */
  Operation barrier(Channel channel);

  /**
   * Starts a broadcast ({@code MPI_Ibcast}).
   *
   * @param channel the communicator's channel
   * @param buffer data at the root, filled at the others
   * @param root rank of the root
   * @return the operation
   */
  Operation bcast(Channel channel, Buf<?> buffer, int root);

  /**
   * Starts a gather ({@code MPI_Igather}).
   *
   * @param channel the communicator's channel
   * @param send each rank's block; in place at the root
   * @param recv at the root, room for size blocks, whose count is that of the whole buffer; null elsewhere
   * @param root rank of the root
   * @return the operation
   */
  Operation gather(Channel channel, Buf<?> send, Buf<?> recv, int root);

  /**
   * Starts a gather to all ranks ({@code MPI_Iallgather}).
   *
   * @param channel the communicator's channel
   * @param send each rank's block, or in place
   * @param recv room for size blocks, whose count is that of the whole buffer
   * @return the operation
   */
  Operation allgather(Channel channel, Buf<?> send, Buf<?> recv);

  /**
   * Starts a scatter ({@code MPI_Iscatter}).
   *
   * @param channel the communicator's channel
   * @param send at the root, size blocks, whose count is that of the whole buffer; null elsewhere
   * @param recv each rank's block; in place at the root
   * @param root rank of the root
   * @return the operation
   */
  Operation scatter(Channel channel, Buf<?> send, Buf<?> recv, int root);

  /**
   * Starts an exchange of a block between each two ranks ({@code MPI_Ialltoall}).
   *
   * @param channel the communicator's channel
   * @param send size blocks, or in place
   * @param recv size blocks
   * @return the operation
   */
  Operation alltoall(Channel channel, Buf<?> send, Buf<?> recv);

  /**
   * Starts a gather of blocks of different lengths ({@code MPI_Igatherv}); between two groups of all.
   *
   * @param channel the communicator's channel
   * @param send this rank's block, in place at the root; null where nothing is sent
   * @param recv at the root, a block for each rank that sends; null elsewhere
   * @param root rank of the root, or between groups ROOT, PROC_NULL or a rank of the other group
   * @return the operation
   */
  Operation gatherv(Channel channel, Buf<?> send, Buf<?>[] recv, int root);

  /**
   * Starts a scatter of blocks of different lengths ({@code MPI_Iscatterv}); between two groups of all.
   *
   * @param channel the communicator's channel
   * @param send at the root, a block for each rank that receives; null elsewhere
   * @param recv this rank's block, in place at the root; null where nothing is received
   * @param root rank of the root, or between groups ROOT, PROC_NULL or a rank of the other group
   * @return the operation
   */
  Operation scatterv(Channel channel, Buf<?>[] send, Buf<?> recv, int root);

  /**
   * Starts a gather to all ranks of blocks of different lengths ({@code MPI_Iallgatherv}); between two groups of all.
   *
   * @param channel the communicator's channel
   * @param send this rank's block, or in place
   * @param recv a block for each rank that sends
   * @return the operation
   */
  Operation allgatherv(Channel channel, Buf<?> send, Buf<?>[] recv);

  /**
   * Starts an exchange of blocks of different lengths and types ({@code MPI_Ialltoallv}, {@code MPI_Ialltoallw});
   * between two groups of all.
   *
   * @param channel the communicator's channel
   * @param send a block for each rank; null for in place
   * @param recv a block for each rank
   * @return the operation
   */
  Operation alltoallv(Channel channel, Buf<?>[] send, Buf<?>[] recv);

  /**
   * Starts a gather from neighbours ({@code MPI_Ineighbor_allgather}, {@code MPI_Ineighbor_allgatherv}).
   *
   * @param channel the communicator's channel
   * @param neighbors the communicator's topology
   * @param send what each neighbour gets
   * @param recv a block for each source
   * @return the operation
   */
  Operation neighborAllgather(Channel channel, Neighbors neighbors, Buf<?> send, Buf<?>[] recv);

  /**
   * Starts an exchange with neighbours ({@code MPI_Ineighbor_alltoall} and its {@code v} and {@code w} forms).
   *
   * @param channel the communicator's channel
   * @param neighbors the communicator's topology
   * @param send a block for each destination
   * @param recv a block for each source
   * @return the operation
   */
  Operation neighborAlltoall(Channel channel, Neighbors neighbors, Buf<?>[] send, Buf<?>[] recv);

  /**
   * Starts a reduction to one rank ({@code MPI_Ireduce}).
   *
   * @param channel the communicator's channel
   * @param send each rank's contribution; in place at the root
   * @param recv result at the root; null elsewhere
   * @param op the operation
   * @param root rank of the root
   * @return the operation
   */
  Operation reduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op, int root);

  /**
   * Starts a reduction to all ranks ({@code MPI_Iallreduce}).
   *
   * @param channel the communicator's channel
   * @param send each rank's contribution, or in place
   * @param recv the result
   * @param op the operation
   * @return the operation
   */
  Operation allreduce(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op);

  /**
   * Starts a reduction of which each rank gets a block ({@code MPI_Ireduce_scatter_block}).
   *
   * @param channel the communicator's channel
   * @param send size blocks, or in place
   * @param recv the result; in place, size blocks, of which the first is replaced by the result
   * @param op the operation
   * @return the operation
   */
  Operation reduceScatterBlock(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op);

  /**
   * Starts a reduction of which each rank gets a part ({@code MPI_Ireduce_scatter}).
   *
   * @param channel the communicator's channel
   * @param send all parts, one after the other, or in place
   * @param recv the result; in place, all parts, whose beginning is replaced by the result
   * @param counts number of elements of each rank's part
   * @param op the operation
   * @return the operation
   */
  Operation reduceScatter(Channel channel, Buf<?> send, Buf<?> recv, long[] counts, Op<?> op);

  /**
   * Starts a reduction over this rank and all lower ones ({@code MPI_Iscan}).
   *
   * @param channel the communicator's channel
   * @param send each rank's contribution, or in place
   * @param recv the result
   * @param op the operation
   * @return the operation
   */
  Operation scan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op);

  /**
   * Starts a reduction over all lower ranks ({@code MPI_Iexscan}).
   *
   * @param channel the communicator's channel
   * @param send each rank's contribution, or in place
   * @param recv the result; not touched at rank 0
   * @param op the operation
   * @return the operation
   */
  Operation exscan(Channel channel, Buf<?> send, Buf<?> recv, Op<?> op);

  /**
   * Makes a collective that has not been driven or registered one that can be started again and again. Its messages
   * meet those of no other collective.
   *
   * @param channel the communicator's channel
   * @param operation what one of the methods above returned
   * @return the operation, to be started by {@link #restart}
   */
  Operation persist(Channel channel, Operation operation);

  /**
   * Starts a persistent collective and hands it to the engine's progress. It has never been started, or is complete.
   *
   * @param operation what {@link #persist} returned
   */
  void restart(Operation operation);

  /**
   * Lets go of a persistent collective that has never been started, or is complete, and is not started any more.
   *
   * @param persistent what {@link #persist} returned
   */
  default void discard(Operation persistent) {}

  /**
   * Drives a started collective to its end in the calling thread: the blocking form.
   *
   * @param channel the communicator's channel
   * @param operation what one of the methods above returned and nobody registered yet
   */
  void run(Channel channel, Operation operation);

  /**
   * Hands a started collective to the engine's progress: the nonblocking form.
   *
   * @param channel the communicator's channel
   * @param operation what one of the methods above returned
   */
  void register(Channel channel, Operation operation);
}
