// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/** Scatter in levels: the blocks of each other node leave the root as one message to the node's leader. */
final class LeveledScatter extends LeveledAlgorithm {
  LeveledScatter() {
    super(Collective.SCATTER);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, shape.root());
    if (shape.isRoot()) {
      root(shape, builder, levels);
    } else if (levels.isLeader()) {
      leader(shape, builder, levels);
    } else {
      builder.receive(levels.leader(levels.node()), builder.receiveBuffer(0, shape.units()));
    }
  }

  private static void root(CallShape shape, ScheduleBuilder builder, Levels levels) {
    long block = shape.units();
    RanksByNode nodes = shape.nodes();
    for (int i = 1; i < nodes.nodes(); i++) {
      int node = (levels.node() + i) % nodes.nodes();
      int[] ranks = levels.ranksOf(node);
      if (nodes.isInOrder() || ranks.length == 1) {
        builder.send(ranks[0], builder.sendBuffer(ranks[0] * block, ranks.length * block));
        continue;
      }
      Slice packed = builder.scratch(ranks.length * block);
      for (int r = 0; r < ranks.length; r++) {
        builder.copy(builder.sendBuffer(ranks[r] * block, block), packed.part(r * block, block));
      }
      builder.send(ranks[0], packed);
    }
    for (int rank : levels.here()) {
      if (rank != shape.root()) {
        builder.send(rank, builder.sendBuffer(rank * block, block));
      }
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(shape.root() * block, block), builder.receiveBuffer(0, block));
    }
  }

  private static void leader(CallShape shape, ScheduleBuilder builder, Levels levels) {
    long block = shape.units();
    Slice own = builder.receiveBuffer(0, block);
    int[] here = levels.here();
    Slice all = here.length == 1 ? own : builder.scratch(here.length * block);
    builder.receive(shape.root(), all);
    for (int i = 1; i < here.length; i++) {
      builder.send(here[i], all.part(i * block, block));
    }
    builder.copy(all.part(0, block), own);
  }

  @Override
  String within(CallShape shape) {
    return "linear";
  }

  @Override
  String between(CallShape shape) {
    return "linear";
  }
}
