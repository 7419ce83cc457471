// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/** Gather in levels: the blocks of each other node reach the root as one message of the node's leader. */
final class LeveledGather extends LeveledAlgorithm {
  LeveledGather() {
    super(Collective.GATHER);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, shape.root());
    if (shape.isRoot()) {
      root(shape, builder, levels);
    } else if (levels.isLeader()) {
      leader(shape, builder, levels);
    } else {
      builder.send(levels.leader(levels.node()), builder.sendBuffer(0, shape.units()));
    }
  }

  private static void leader(CallShape shape, ScheduleBuilder builder, Levels levels) {
    long block = shape.units();
    Slice own = builder.sendBuffer(0, block);
    Slice all = levels.size() == 1 ? own : builder.scratch(levels.size() * block);
    int[] here = levels.here();
    for (int i = 1; i < here.length; i++) {
      builder.receive(here[i], all.part(i * block, block));
    }
    builder.copy(own, all.part(0, block));
    builder.send(shape.root(), all);
  }

  private static void root(CallShape shape, ScheduleBuilder builder, Levels levels) {
    long block = shape.units();
    RanksByNode nodes = shape.nodes();
    for (int rank : levels.here()) {
      if (rank != shape.root()) {
        builder.receive(rank, builder.receiveBuffer(rank * block, block));
      }
    }
    Slice[] packed = new Slice[nodes.nodes()];
    for (int i = 1; i < nodes.nodes(); i++) {
      int node = (levels.node() + i) % nodes.nodes();
      long units = nodes.size(node) * block;
      if (!nodes.isInOrder() && nodes.size(node) > 1) {
        packed[node] = builder.scratch(units);
      }
      builder.receive(levels.leader(node),
          packed[node] != null ? packed[node] : builder.receiveBuffer(levels.leader(node) * block, units));
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(shape.root() * block, block));
    }
    for (int node = 0; node < packed.length; node++) {
      int[] ranks = packed[node] == null ? new int[0] : levels.ranksOf(node);
      for (int i = 0; i < ranks.length; i++) {
        builder.copy(packed[node].part(i * block, block), builder.receiveBuffer(ranks[i] * block, block));
      }
    }
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
