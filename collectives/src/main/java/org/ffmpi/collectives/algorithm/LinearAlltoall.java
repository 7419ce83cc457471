// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An alltoall in one round, in which each rank sends every other one its block, beginning with its neighbour. In place,
 * partners swap their blocks. Blocks may have different lengths and types.
 */
final class LinearAlltoall extends Algorithm {
  LinearAlltoall(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.inPlace()) {
      PairwiseAlltoall.swap(shape, builder);
      return;
    }
    long block = shape.units();
    int size = shape.size();
    int rank = shape.rank();
    for (int i = 1; i < size; i++) {
      int to = (rank + i) % size;
      builder.send(to, builder.sendBuffer(to * block, block));
    }
    Slice own = builder.sendBuffer(rank * block, block);
    boolean copyFirst = shape.copiesFirst();
    if (copyFirst) {
      builder.copy(own, builder.receiveBuffer(rank * block, block));
    }
    for (int i = 1; i < size; i++) {
      int from = Math.floorMod(rank - i, size);
      builder.receive(from, builder.receiveBuffer(from * block, block));
    }
    if (!copyFirst) {
      builder.copy(own, builder.receiveBuffer(rank * block, block));
    }
  }
}
