// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.Buf;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.base.Standard;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.request.ForwardingRequest;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.Partitioned;
import org.ffmpi.request.PersistentImpl;
import org.ffmpi.request.ReceivedFromNobody;
import org.ffmpi.request.RequestKind;

/** The class behind {@link PartitionedRecv}. */
public final class PartitionedRecvImpl extends ForwardingRequest implements PartitionedRecv, Partitioned {
  /** Null for a receive from {@code PROC_NULL}. */
  private final PartitionedReceiving receiving;
  private final int partitions;
  private final PersistentImpl request;

  /** Creates a request of a receive from {@code PROC_NULL}. */
  public PartitionedRecvImpl(CommState comm, int partitions) {
    this.receiving = null;
    this.partitions = partitions;
    this.request = new PersistentImpl(
        comm, RequestKind.PARTITIONED, () -> ReceivedFromNobody.INSTANCE);
  }

  /** Creates an inactive request. */
  public PartitionedRecvImpl(CommState comm, int partitions, PartitionedReceiving receiving, Buf<?> buf) {
    this.receiving = receiving;
    this.partitions = partitions;
    this.request = new PersistentImpl(
        comm, RequestKind.PARTITIONED, HeldOperation.starter(comm.world, receiving::start, BufUses.holding(buf)));
  }

  @Standard({"MPI_Parrived"})
  @Override
  public boolean parrived(int partition) {
    request.request().world().checkCommunication();
    if (partition < 0 || partition >= partitions) {
      throw request.request().raise(PartitionedSetUp.noPartition("partition", partition, partitions));
    }
    if (receiving == null || !isActive()) {
      return true;
    }
    try {
      return receiving.hasArrived(partition);
    } catch (RuntimeException e) {
      throw request.request().raise(Failures.translate(e));
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
