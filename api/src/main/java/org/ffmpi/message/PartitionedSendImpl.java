// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.PartitionedSend;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.request.ForwardingRequest;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.Partitioned;
import org.ffmpi.request.PersistentImpl;
import org.ffmpi.request.RequestKind;

/** The class behind {@link PartitionedSend}. */
public final class PartitionedSendImpl extends ForwardingRequest implements PartitionedSend, Partitioned {
  private final PartitionedSending sending;
  private final PersistentImpl request;

  /** Creates an inactive request. */
  public PartitionedSendImpl(CommState comm, PartitionedSending sending, Buf<?> buf) {
    this.sending = sending;
    this.request = new PersistentImpl(
        comm, RequestKind.PARTITIONED, HeldOperation.starter(comm.world, sending::start, BufUses.holding(buf)));
  }

  @Standard({"MPI_Pready"})
  @Override
  public void pready(int partition) {
    check(partition, "partition");
    try {
      sending.ready(partition);
    } catch (RuntimeException e) {
      throw request.request().raise(Failures.translate(e));
    }
  }

  @Standard({"MPI_Pready_range"})
  @Override
  public void preadyRange(int low, int high) {
    check(low, "low");
    check(high, "high");
    if (low > high) {
      throw request.request().raise(MpiException.argument(ErrorClass.ERR_ARG, "high", high,
          "partitions from low = " + low + " on"));
    }
    readyAll(IntStream.rangeClosed(low, high).toArray());
  }

  @Standard({"MPI_Pready_list"})
  @Override
  public void preadyList(int... partitions) {
    if (partitions == null) {
      throw request.request().raise(MpiException.argument(ErrorClass.ERR_ARG, "partitions", null,
          "an array of partition numbers"));
    }
    checkActive();
    int[] numbers = partitions.clone();
    for (int partition : numbers) {
      check(partition, "partition");
    }
    if (numbers.length > 0) {
      readyAll(numbers);
    }
  }

  private void readyAll(int[] numbers) {
    try {
      sending.ready(numbers);
    } catch (RuntimeException e) {
      throw request.request().raise(Failures.translate(e));
    }
  }

  private void check(int partition, String argument) {
    checkActive();
    if (partition < 0 || partition >= sending.partitions()) {
      throw request.request().raise(PartitionedSetUp.noPartition(argument, partition, sending.partitions()));
    }
  }

  private void checkActive() {
    request.request().world().checkCommunication();
    if (!isActive()) {
      throw request.request().raise(new MpiException(
          ErrorClass.ERR_REQUEST,
          "request: not active; partitions can be marked ready from its start until a wait or test has completed it"));
    }
  }

  @Standard({"MPI_Start"})
  @Override
  public void start() {
    request.start();
  }

  @Override
  public PersistentImpl persistent() {
    return request;
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
