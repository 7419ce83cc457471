// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.message.PartitionedRecvImpl;

/**
 * A persistent receive of a partitioned message, whose partitions can be used as they arrive (MPI-4.1 chapter 4). Made
 * by {@link Comm#precvInit}.
 *
 * {@snippet :
 * try (PartitionedRecv in = world.precvInit(Buf.of(data), 8, left, 0)) {
 *   for (int i = 0; i < steps; i++) {
 *     in.start();
 *     for (int p = 0; p < 8; p++) {
 *       while (!in.parrived(p)) {
 *         computeSomethingElse();
 *       }
 *       use(p);
 *     }
 *     in.await();
 *   }
 * }
 * }
 *
 * <p>The receiver's partitions are its own: the sender may have cut the same data into fewer or more, and may name the
 * elements by another type of the same signature. The request is complete when all data have arrived; what has
 * {@linkplain #parrived arrived} may be read, and written too, before.
 *
 * <p>An active request can be neither cancelled nor closed until a wait or test has completed it, which is ERR_REQUEST.
 */
public sealed interface PartitionedRecv extends Persistent permits PartitionedRecvImpl {
  /**
   * Returns whether a partition has arrived and may be used ({@code MPI_Parrived}, MPI-4.1 §4.2.2). Makes some progress
   * when it has not; a program that repeats the call will see it arrive. Does not block and completes nothing: the
   * request still has to be completed by a wait or test. Several threads may ask at the same time, also while one waits
   * for the request. Where the buffer is confined to a thread, only what that thread does lets partitions arrive.
   *
   * @param partition number of one of this side's partitions, from 0
   * @return true when the data of this partition are in the buffer; always when the request is not active. A partition
   *     for which the sender has no data counts as arrived when all are
   * @throws MpiException ERR_ARG when there is no such partition, ERR_OTHER after finalize. Why the partition will not
   *     arrive, if so: ERR_TRUNCATE, ERR_PROC_ABORTED and others of the wait for this request, which will fail too
   */
  @Standard({"MPI_Parrived"})
  boolean parrived(int partition);
}
