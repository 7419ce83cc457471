// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.Buf;
import org.ffmpi.PartitionedSend;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The state of a {@link PartitionedSend}, with the places of its partitions and the marks of those that are ready. Each
 * partition becomes a message of its own when it is marked, sent by the thread that marks it. Each start has one {@link
 * SendRound}. Marks are set for all partitions of a call before the first of them is sent, and cleared again when one
 * had been set already, so that a refused call has no effect.
 */
public final class PartitionedSending {
  private final Channel channel;
  private final Engine engine;
  private final Buf<?> buf;
  private final Plan plan;
  private final int partitions;

  /** The receiver, or {@code PROC_NULL}. */
  private final int peer;

  /** The context of the partitions' messages and their receives alone. */
  private final long context;

  /** Elements of a partition, and bytes from one partition's first element to the next one's. */
  private final long elements;

  private final long stride;

  /** For each partition, the last round in which it was marked. */
  private final AtomicIntegerArray marks;

  private volatile SendRound round;
  private int rounds;

  public PartitionedSending(Channel channel, Buf<?> buf, int partitions, int dest, int tag) {
    this.channel = channel;
    this.engine = channel.engine();
    this.buf = buf;
    this.plan = BufImpl.of(buf).plan();
    this.partitions = partitions;
    this.elements = partitions == 0 ? 0 : buf.count() / partitions;
    this.stride = elements * plan.extent();
    this.marks = new AtomicIntegerArray(partitions);
    this.peer = channel.peer(dest);
    if (dest == Constants.PROC_NULL) {
      context = 0;
    } else {
      context = engine.claimContexts(1);
      PartitionedSetUp.send(channel, peer, tag, context, partitions, elements * plan.size());
    }
  }

  public int partitions() {
    return partitions;
  }

  /** Starts a round, in which no message is sent until partitions are marked ready. */
  public Operation start() {
    checkMemory();
    PartitionedSetUp.checkRevoked(channel);
    if (partitions == 0) {
      return engine.completed();
    }
    SendRound started = new SendRound(channel, ++rounds, partitions);
    round = started;
    return started;
  }

  /** Sends a partition, whose number has been checked; the request is active. */
  public void ready(int partition) {
    checkMemory();
    PartitionedSetUp.checkRevoked(channel);
    SendRound current = round;
    encode(current, partition);
    mark(current, partition);
    send(current, partition);
  }

  /** Sends partitions, whose numbers have been checked; the request is active. */
  public void ready(int[] numbers) {
    checkMemory();
    PartitionedSetUp.checkRevoked(channel);
    SendRound current = round;
    for (int partition : numbers) {
      encode(current, partition);
    }
    int marked = 0;
    try {
      for (; marked < numbers.length; marked++) {
        mark(current, numbers[marked]);
      }
    } catch (MpiException e) {
      for (int i = 0; i < marked; i++) {
        marks.set(numbers[i], current.number - 1);
      }
      throw e;
    }
    for (int partition : numbers) {
      send(current, partition);
    }
  }

  /** Writes a partition of objects to memory, unless it may be on its way. */
  private void encode(SendRound current, int partition) {
    if (BufImpl.of(buf).isOfObjects() && marks.get(partition) != current.number) {
      BufImpl.of(buf).encode(partition * elements, elements);
    }
  }

  private void mark(SendRound current, int partition) {
    if (marks.getAndSet(partition, current.number) == current.number) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "partition", partition, "those not yet marked ready since the request was started");
    }
  }

  private void send(SendRound current, int partition) {
    if (peer == Constants.PROC_NULL) {
      current.sent(engine.completed());
      return;
    }
    Operation message;
    try {
      message = engine.isend(
          Engine.STANDARD, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset() + partition * stride, elements, plan,
          peer, context, partition);
    } catch (RuntimeException e) {
      MpiException error = Failures.translate(e);
      current.failed(error);
      throw error;
    }
    current.sent(message);
  }

  private void checkMemory() {
    if (!BufImpl.of(buf).isTouchable()) {
      throw BufImpl.of(buf).untouchable("buffer");
    }
  }
}
