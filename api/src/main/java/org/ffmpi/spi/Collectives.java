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
