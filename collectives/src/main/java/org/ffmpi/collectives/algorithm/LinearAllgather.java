// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allgather in one round, in which each rank sends its block to every other one, beginning with its neighbour so
 * that not all send to the same at once. It takes the fewest dependent messages, which is what short blocks cost, above
 * all where ranks share cores. Blocks may have different lengths.
 */
final class LinearAllgather extends Algorithm {
  LinearAllgather(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int size = shape.size();
    int rank = shape.rank();
    Slice home = block(shape, builder, rank);
    Slice own = shape.inPlace() ? home : builder.sendBuffer(0, home.units());
    for (int i = 1; i < size; i++) {
      builder.send((rank + i) % size, own);
    }
    boolean copyFirst = shape.copiesFirst();
    if (!shape.inPlace() && copyFirst) {
      builder.copy(own, home);
    }
    for (int i = 1; i < size; i++) {
      int from = Math.floorMod(rank - i, size);
      builder.receive(from, block(shape, builder, from));
    }
    if (!shape.inPlace() && !copyFirst) {
      builder.copy(own, home);
    }
  }

  private static Slice block(CallShape shape, ScheduleBuilder builder, int rank) {
    return builder.receiveBuffer(shape.start(rank), shape.length(rank));
  }
}
