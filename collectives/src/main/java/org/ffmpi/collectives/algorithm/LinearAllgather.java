// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * Allgather in one round: each rank sends its block to every other one, beginning with its neighbour so that not all
 * send to the same at once. The fewest hand-overs, which is what short blocks cost, above all where ranks share cores.
 * The same with blocks of different lengths.
 */
final class LinearAllgather extends Algorithm {
  LinearAllgather(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int size = shape.size();
    int rank = shape.rank();
    Slice own = shape.inPlace() ? builder.receiveBuffer(rank * block, block) : builder.sendBuffer(0, block);
    for (int i = 1; i < size; i++) {
      builder.send((rank + i) % size, own);
    }
    boolean copyFirst = shape.copiesFirst();
    if (!shape.inPlace() && copyFirst) {
      builder.copy(own, builder.receiveBuffer(rank * block, block));
    }
    for (int i = 1; i < size; i++) {
      int from = Math.floorMod(rank - i, size);
      builder.receive(from, builder.receiveBuffer(from * block, block));
    }
    if (!shape.inPlace() && !copyFirst) {
      builder.copy(own, builder.receiveBuffer(rank * block, block));
    }
  }
}
