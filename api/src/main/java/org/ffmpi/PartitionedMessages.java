// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.buffer.Storages;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/** The calls of {@link Comm} whose messages are made of partitions. */
abstract sealed class PartitionedMessages extends PersistentMessages permits CommProperties {
  PartitionedMessages(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  /**
   * Makes a persistent request of a send in partitions ({@code MPI_Psend_init}, MPI-4.1 §4.2.1). Local; sends nothing
   * of the buffer.
   *
   * <p>It matches a {@link #precvInit} at the receiver, and nothing else: of those of the same communicator, pair of
   * ranks and tag, the first made at one side that of the other, the second the second, and so on; also when one of
   * them is closed without ever having been started. The receive may have another number of partitions and another
   * type, but the basic types sent and received have to be the same in all.
   *
   * @param buf elements of all partitions together, one partition after the other; not at absolute addresses
   *     ({@link Buf#bottom}), where partitions could not follow one another
   * @param partitions number of equal partitions; 0 only of a buffer without elements
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_COUNT when the buffer's count is not a multiple of {@code partitions}, ERR_ARG when those
   *     are negative; as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Psend_init"})
  public PartitionedSend psendInit(Buf<?> buf, int partitions, int dest, int tag) {
    isSendToNobody(buf, dest, tag);
    checkPartitions(buf, partitions);
    try {
      return new PartitionedSend(state, new PartitionedSending(channel, buf, partitions, dest, tag), buf);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * Makes a persistent request of a receive in partitions ({@code MPI_Precv_init}, MPI-4.1 §4.2.1). Local; receives
   * nothing into the buffer. It matches as {@link #psendInit} says.
   *
   * @param buf room for the elements of all partitions together; not at absolute addresses ({@link Buf#bottom})
   * @param partitions number of equal partitions in which {@link PartitionedRecv#parrived} tells what has arrived; 0
   *     only of a buffer without elements
   * @param source rank of the sender, or {@code PROC_NULL}; not {@code ANY_SOURCE}
   * @param tag tag of the message; not {@code ANY_TAG}
   * @return an inactive request, to be started any number of times and closed at the end; a wait for it fails with
   *     ERR_TRUNCATE when the sender has more than there is room for, and tells in its status when it had less
   * @throws MpiException ERR_COUNT when the buffer's count is not a multiple of {@code partitions}, ERR_ARG when those
   *     are negative; ERR_RANK and ERR_TAG for wildcards, too; as {@link Comm#recv(Buf, int, int)}
   */
  @Standard({"MPI_Precv_init"})
  public PartitionedRecv precvInit(Buf<?> buf, int partitions, int source, int tag) {
    boolean fromNobody = isReceiveFromNobody(buf, source, tag);
    if (source == Constants.ANY_SOURCE) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "source", "ANY_SOURCE", ranks() + " or PROC_NULL"));
    }
    if (tag == Constants.ANY_TAG) {
      throw raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", "ANY_TAG", "0.." + Integer.MAX_VALUE));
    }
    checkPartitions(buf, partitions);
    try {
      return fromNobody
          ? new PartitionedRecv(state, partitions)
          : new PartitionedRecv(state, partitions, new PartitionedReceiving(channel, buf, partitions, source, tag), buf);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private void checkPartitions(Buf<?> buf, int partitions) {
    if (partitions < 0) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "partitions", partitions, "0 or more"));
    }
    if (partitions == 0 ? buf.count() != 0 : buf.count() % partitions != 0) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_COUNT, "count of buffer", buf.count(), "multiples of the " + partitions + " partitions"));
    }
    if (buf.memoryOwner() instanceof Storages) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_BUFFER, "buffer", buf, "memory in which partitions follow one another"));
    }
  }

  // ---- for the requests

  static MpiException noPartition(String argument, int partition, int partitions) {
    return MpiException.argument(
        ErrorClass.ERR_ARG, argument, partition, partitions == 0 ? "none" : "0.." + (partitions - 1));
  }

  /** Returns why a request cannot be cancelled or freed, or null: no peer could go on without it. */
  static MpiException refusal(Operation running, String what) {
    running.advance();
    return running.isDone()
        ? null
        : new MpiException(ErrorClass.ERR_REQUEST, "request: a partitioned operation in flight cannot be " + what);
  }
}
