// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allgather round a ring, in which in each of n - 1 rounds a rank sends the block it received last to its upper
 * neighbour. Every rank sends and receives each block once, so that memory bandwidth is shared evenly (Thakur,
 * Rabenseifner and Gropp, 2005).
 */
final class RingAllgather extends Algorithm {
  RingAllgather() {
    super("ring", Collective.ALLGATHER, "each rank sends and receives each block once");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int size = shape.size();
    int rank = shape.rank();
    int upper = (rank + 1) % size;
    int lower = Math.floorMod(rank - 1, size);
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, shape.length(rank)), block(shape, builder, rank));
    }
    for (int round = 0; round < size - 1; round++) {
      int sent = Math.floorMod(rank - round, size);
      int received = Math.floorMod(rank - round - 1, size);
      builder.send(upper, block(shape, builder, sent));
      builder.receive(lower, block(shape, builder, received));
    }
  }

  private static Slice block(CallShape shape, ScheduleBuilder builder, int rank) {
    return builder.receiveBuffer(shape.start(rank), shape.length(rank));
  }
}
