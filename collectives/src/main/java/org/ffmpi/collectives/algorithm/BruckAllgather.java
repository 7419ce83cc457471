// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allgather of short blocks among many ranks in ceil(log2 n) rounds (Bruck and others, 1997). In round k each rank
 * sends what it has, the blocks of 2^k ranks from itself on, to the rank 2^k before. Blocks are received in their final
 * places; a row of blocks that passes the last rank is two messages.
 */
final class BruckAllgather extends Algorithm {
  BruckAllgather() {
    super("bruck", Collective.ALLGATHER, "log2 n rounds");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int size = shape.size();
    int rank = shape.rank();
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, shape.length(rank)), run(shape, builder, rank, 1));
    }
    for (int distance = 1; distance < size; distance <<= 1) {
      int blocks = Math.min(distance, size - distance);
      int lower = Math.floorMod(rank - distance, size);
      int upper = (rank + distance) % size;
      builder.send(lower, run(shape, builder, rank, blocks));
      builder.send(lower, rest(shape, builder, rank, blocks));
      builder.receive(upper, run(shape, builder, upper, blocks));
      builder.receive(upper, rest(shape, builder, upper, blocks));
    }
  }

  /** Returns the blocks of consecutive ranks from one on, up to the last rank. */
  private static Slice run(CallShape shape, ScheduleBuilder builder, int first, int blocks) {
    long from = shape.start(first);
    return builder.receiveBuffer(from, shape.start(Math.min(first + blocks, shape.size())) - from);
  }

  /** Returns those that follow from rank 0 on. */
  private static Slice rest(CallShape shape, ScheduleBuilder builder, int first, int blocks) {
    return builder.receiveBuffer(0, shape.start(Math.max(0, first + blocks - shape.size())));
  }
}
