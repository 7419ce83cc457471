// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A gather in one round, in which each rank sends its block to the root, which receives all of them in place, in any
 * order. Blocks may have different lengths.
 *
 * <p>Over nodes, where short blocks go in levels, the leader of a node hears from each of its ranks: a rank that calls
 * by mistake with a shorter block sends it to the leader, who must be there to notice.
 */
final class LinearGather extends Algorithm {
  LinearGather(Collective collective) {
    super("linear", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    if (!shape.isRoot()) {
      builder.send(shape.root(), builder.sendBuffer(0, block));
      if (shape.nodes() != null && collective() == Collective.GATHER) {
        meetLeader(shape, builder);
      }
      return;
    }
    boolean copyFirst = shape.copiesFirst();
    if (!shape.inPlace() && copyFirst) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(shape.root() * block, block));
    }
    for (int v = 1; v < shape.size(); v++) {
      int rank = shape.absolute(v);
      builder.receive(rank, builder.receiveBuffer(rank * block, block));
    }
    if (!shape.inPlace() && !copyFirst) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(shape.root() * block, block));
    }
  }

  private static void meetLeader(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, shape.root());
    int leader = levels.leader(levels.node());
    if (!levels.isLeader() && leader != shape.root()) {
      builder.send(leader, Slice.NOTHING);
    }
    for (int rank : levels.isLeader() ? levels.here() : new int[0]) {
      if (rank != leader) {
        builder.receive(rank, Slice.NOTHING);
      }
    }
  }
}
