// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BottomMemory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.process.CommState;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.spi.Channel;

/** Makes requests of partitioned messages. */
public final class PartitionedMessages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final Channel channel;

  public PartitionedMessages(CommState state, EnvelopeChecks checks) {
    this.state = state;
    this.checks = checks;
    this.channel = state.channel;
  }

  public PartitionedSend psendInit(Buf<?> buf, int partitions, int dest, int tag) {
    checks.isSendToNobody(buf, dest, tag);
    checkPartitions(buf, partitions);
    checkRoom(partitions);
    try {
      return new PartitionedSendImpl(state, new PartitionedSending(channel, buf, partitions, dest, tag), buf);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public PartitionedRecv precvInit(Buf<?> buf, int partitions, int source, int tag) {
    boolean fromNobody = checks.isReceiveFromNobody(buf, source, tag);
    if (source == Constants.ANY_SOURCE) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_RANK, "source", "ANY_SOURCE", checks.ranks() + " or PROC_NULL"));
    }
    if (tag == Constants.ANY_TAG) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", "ANY_TAG", "0.." + Integer.MAX_VALUE));
    }
    checkPartitions(buf, partitions);
    try {
      return fromNobody
          ? new PartitionedRecvImpl(state, partitions)
          : new PartitionedRecvImpl(
              state, partitions, new PartitionedReceiving(channel, buf, partitions, source, tag), buf);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public PartitionedSend psendInit(Buf<?> buf, int partitions, int dest, int tag, Info info) {
    checkHints(info);
    return psendInit(buf, partitions, dest, tag);
  }

  public PartitionedRecv precvInit(Buf<?> buf, int partitions, int source, int tag, Info info) {
    checkHints(info);
    return precvInit(buf, partitions, source, tag);
  }

  /** Throws when hints cannot be read; none are defined. */
  private void checkHints(Info info) {
    state.checkOpen();
    try {
      InfoAccess.entries(info);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /** Checks that the sender's marks, one for each partition, fit in one array of the JVM. */
  private void checkRoom(int partitions) {
    if ((long) partitions * Integer.BYTES > Runtime.getRuntime().maxMemory()) {
      throw state.raise(new MpiException(
          ErrorClass.ERR_NO_MEM,
          "partitions = " + partitions + ": a sender keeps " + Integer.BYTES
              + " bytes for each, and the memory of this JVM ends at "
              + Runtime.getRuntime().maxMemory()));
    }
  }

  private void checkPartitions(Buf<?> buf, int partitions) {
    if (partitions < 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "partitions", partitions, "0 or more"));
    }
    if (partitions == 0 ? buf.count() != 0 : buf.count() % partitions != 0) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_COUNT, "count of buffer", buf.count(), "multiples of the " + partitions + " partitions"));
    }
    if (BufImpl.of(buf).memoryOwner() instanceof BottomMemory) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_BUFFER, "buffer", buf, "memory in which partitions follow one another"));
    }
  }
}
