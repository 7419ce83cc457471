// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.message.PartitionedSendImpl;

/**
 * A persistent send whose buffer is made of equal partitions, each of which is sent as soon as the program marks that
 * it is ready (MPI-4.1 chapter 4). Made by {@link Comm#psendInit}.
 *
 * {@snippet :
 * try (PartitionedSend out = world.psendInit(Buf.of(data), workers, right, 0)) {
 *   for (int i = 0; i < steps; i++) {
 *     out.start();
 *     pool.parallelFor(workers, worker -> {
 *       compute(worker);            // fills partition number worker
 *       out.pready(worker);         // which is on its way while the others still compute
 *     });
 *     out.await();
 *   }
 * }
 * }
 *
 * <p>After each {@link #start}, every partition has to be marked ready exactly once, in any order, by any threads, at
 * the same time too; platform and virtual threads alike. The request is complete when all have been marked and the
 * buffer may be changed again. A thread may wait for that while others still mark partitions. Until a partition is
 * marked, the program may write it.
 *
 * <p>An active request can be neither cancelled nor closed until a wait or test has completed it, which is ERR_REQUEST.
 */
public sealed interface PartitionedSend extends Persistent permits PartitionedSendImpl {
  /**
   * Marks a partition as ready to be sent ({@code MPI_Pready}, MPI-4.1 §4.2.1): the program does not write it any more
   * until the request is complete. Does not block.
   *
   * @param partition number of the partition, from 0
   * @throws MpiException ERR_ARG when there is no such partition or it has been marked since the request was started,
   *     ERR_REQUEST when the request is not active, ERR_BUFFER when the memory may not be touched now, ERR_OTHER after
   *     finalize: nothing was marked then. ERR_PROC_ABORTED when the receiver is gone: the wait for this request will
   *     fail too
   */
  @Standard({"MPI_Pready"})
  void pready(int partition);

  /**
   * Marks a range of partitions as ready to be sent ({@code MPI_Pready_range}, MPI-4.1 §4.2.1). Does not block.
   *
   * @param low number of the first partition
   * @param high number of the last partition, which is included, as in C; not below {@code low}
   * @throws MpiException as {@link #pready}, when that is so of one of the partitions
   */
  @Standard({"MPI_Pready_range"})
  void preadyRange(int low, int high);

  /**
   * Marks some partitions as ready to be sent ({@code MPI_Pready_list}, MPI-4.1 §4.2.1). Does not block.
   *
   * @param partitions numbers of different partitions, in any order; possibly none
   * @throws MpiException as {@link #pready}, when that is so of one of the partitions; ERR_ARG when the array is null
   *     or names a partition twice
   */
  @Standard({"MPI_Pready_list"})
  void preadyList(int... partitions);
}
