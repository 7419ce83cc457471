// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.stream.IntStream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * A persistent send whose buffer is made of equal partitions, each of which is sent as soon as the program says that it
 * is ready (MPI-4.1 chapter 4). Made by {@link Comm#psendInit}.
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
 * <p>An active request can be neither cancelled nor closed before its operation is complete, which is ERR_REQUEST.
 */
public final class PartitionedSend extends Persistent {
  private final PartitionedSending sending;

  PartitionedSend(CommState comm, PartitionedSending sending, Buf<?> buf) {
    super(comm, Kind.SEND, HeldOperation.starter(comm.world, sending::start, buf));
    this.sending = sending;
  }

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
  public void pready(int partition) {
    check(partition, "partition");
    try {
      sending.ready(partition);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  /**
   * Marks a range of partitions as ready to be sent ({@code MPI_Pready_range}, MPI-4.1 §4.2.1). Does not block.
   *
   * @param low number of the first partition
   * @param high number of the last partition, which is included, as in C; not below {@code low}
   * @throws MpiException as {@link #pready}, when that is so of one of the partitions
   */
  @Standard({"MPI_Pready_range"})
  public void preadyRange(int low, int high) {
    check(low, "low");
    check(high, "high");
    if (low > high) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "high", high, "partitions from low = " + low + " on"));
    }
    ready(IntStream.rangeClosed(low, high).toArray());
  }

  /**
   * Marks some partitions as ready to be sent ({@code MPI_Pready_list}, MPI-4.1 §4.2.1). Does not block.
   *
   * @param partitions numbers of different partitions, in any order; possibly none
   * @throws MpiException as {@link #pready}, when that is so of one of the partitions; ERR_ARG when the array is null
   *     or names a partition twice
   */
  @Standard({"MPI_Pready_list"})
  public void preadyList(int... partitions) {
    if (partitions == null) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "partitions", null, "an array of partition numbers"));
    }
    checkActive();
    int[] numbers = partitions.clone();
    for (int partition : numbers) {
      check(partition, "partition");
    }
    if (numbers.length > 0) {
      ready(numbers);
    }
  }

  private void ready(int[] numbers) {
    try {
      sending.ready(numbers);
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  private void check(int partition, String argument) {
    checkActive();
    if (partition < 0 || partition >= sending.partitions()) {
      throw raise(PartitionedMessages.noPartition(argument, partition, sending.partitions()));
    }
  }

  private void checkActive() {
    world().checkCommunication();
    if (!isActive()) {
      throw raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: not active; partitions can be marked ready from its start until a wait or test has completed it"));
    }
  }

  @Override
  MpiException refusal(String what) {
    return PartitionedMessages.refusal(operation(), what);
  }
}
