// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.Operation;

/**
 * The one message by which a partitioned send announces its data to the matching receive. The data travel in a context
 * of their own, one message for each of the sender's partitions, whose tag is the partition's number. It travels on the
 * library's own context of the communicator with the tag that the program has given, so that the k-th send and the k-th
 * receive that are initialised for a communicator, pair of ranks and tag find each other, by the ordinary rules.
 */
final class PartitionedSetUp {
  private static final int CONTEXT = 0;
  private static final int PARTITIONS = 1;
  private static final int BYTES = 2;
  private static final int LENGTH = 3;

  private final long[] message;
  private final Operation receive;

  private PartitionedSetUp(long[] message, Operation receive) {
    this.message = message;
    this.receive = receive;
  }

  /** Announces the data to a receiver. Never waits; if the receiver has departed, the send of each partition fails. */
  static void send(Channel channel, int peer, int tag, long context, int partitions, long bytesPerPartition) {
    long[] message = {context, partitions, bytesPerPartition};
    Plan plan = TypeHandle.planOf(Datatype.INT64_T);
    channel.engine().isend(
        Engine.STANDARD, Memory.LONGS, message, 0, LENGTH, plan, peer, channel.partitioned(), tag);
  }

  /** Starts to receive the announcement of the matching sender. */
  static PartitionedSetUp receive(Channel channel, int peer, int tag) {
    long[] message = new long[LENGTH];
    Plan plan = TypeHandle.planOf(Datatype.INT64_T);
    return new PartitionedSetUp(message, channel.engine().irecv(
        Memory.LONGS, message, 0, LENGTH, plan, peer, channel.partitioned(), tag));
  }

  /** Makes the arrival of the message wake the waiter of {@code round}. */
  void wakes(Operation round) {
    receive.parent(round);
  }

  boolean isThere() {
    return receive.isDone();
  }

  /** Throws when the receive of the message has failed, or {@link #send} cannot have sent it. */
  void check() {
    if (receive.error() != null) {
      throw receive.error();
    }
    Envelope envelope = new Envelope();
    receive.envelope(envelope);
    boolean isSound = envelope.bytes() == LENGTH * Long.BYTES
        && message[PARTITIONS] >= 0 && message[PARTITIONS] <= Integer.MAX_VALUE
        && message[BYTES] >= 0
        && Math.multiplyHigh(message[PARTITIONS], message[BYTES]) == 0 && total() >= 0;
    if (!isSound) {
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "peer " + envelope.peer() + " announces an impossible partitioned message of " + message[PARTITIONS]
              + " partitions of " + message[BYTES] + " bytes");
    }
  }

  long context() {
    return message[CONTEXT];
  }

  int partitions() {
    return (int) message[PARTITIONS];
  }

  long bytesPerPartition() {
    return message[BYTES];
  }

  long total() {
    return message[PARTITIONS] * message[BYTES];
  }

  // ---- for the requests

  /** Throws when the communicator of a partitioned message has been revoked. */
  static void checkRevoked(Channel channel) {
    Health health = channel.health();
    if (health != null) {
      health.survival().refresh();
      if (health.isRevoked()) {
        throw health.error();
      }
    }
  }

  static MpiException noPartition(String argument, int partition, int partitions) {
    return MpiException.argument(
        ErrorClass.ERR_ARG, argument, partition, partitions == 0 ? "none" : "0.." + (partitions - 1));
  }
}
