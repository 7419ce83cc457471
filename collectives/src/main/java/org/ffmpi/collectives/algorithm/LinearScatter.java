// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * A scatter in one round, in which the root sends each rank its block, beginning with its upper neighbour. Blocks may
 * have different lengths.
 */
final class LinearScatter extends Algorithm {
  LinearScatter(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    if (!shape.isRoot()) {
      builder.receive(shape.root(), builder.receiveBuffer(0, block));
      return;
    }
    for (int v = 1; v < shape.size(); v++) {
      int rank = shape.absolute(v);
      builder.send(rank, builder.sendBuffer(rank * block, block));
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(shape.root() * block, block), builder.receiveBuffer(0, block));
    }
  }
}
