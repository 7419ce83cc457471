// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/** A gather or scatter in which the blocks of another node are one message between the root and that node's leader. */
final class LeveledBlocks extends LeveledAlgorithm {
  LeveledBlocks(Collective collective) {
    super(collective);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, shape.root());
    RootedBlocks blocks = new RootedBlocks(shape, builder);
    if (shape.isRoot()) {
      root(shape, blocks, levels);
    } else if (levels.isLeader()) {
      leader(shape, blocks, levels);
    } else {
      blocks.exchangeAbove(levels.leader(levels.node()), blocks.own());
    }
  }

  private static void leader(CallShape shape, RootedBlocks blocks, Levels levels) {
    Slice own = blocks.own();
    int[] here = levels.here();
    Slice all = here.length == 1 ? own : blocks.scratch(here.length);
    if (!blocks.isGather()) {
      blocks.exchangeAbove(shape.root(), all);
    }
    for (int i = 1; i < here.length; i++) {
      blocks.exchangeBelow(here[i], blocks.part(all, i, 1));
    }
    blocks.copy(own, blocks.part(all, 0, 1));
    if (blocks.isGather()) {
      blocks.exchangeAbove(shape.root(), all);
    }
  }

  private static void root(CallShape shape, RootedBlocks blocks, Levels levels) {
    RanksByNode nodes = shape.nodes();
    if (blocks.isGather()) {
      exchangeHere(shape, blocks, levels);
    }
    Slice[] packed = new Slice[nodes.nodes()];
    for (int i = 1; i < packed.length; i++) {
      int node = (levels.node() + i) % packed.length;
      int[] ranks = levels.ranksOf(node);
      if (nodes.isInOrder() || ranks.length == 1) {
        blocks.exchangeBelow(ranks[0], blocks.atRoot(ranks[0], ranks.length));
        continue;
      }
      packed[node] = blocks.scratch(ranks.length);
      if (!blocks.isGather()) {
        copyPacked(blocks, packed[node], ranks);
      }
      blocks.exchangeBelow(ranks[0], packed[node]);
    }
    if (!blocks.isGather()) {
      exchangeHere(shape, blocks, levels);
    }
    if (!shape.inPlace()) {
      blocks.copy(blocks.own(), blocks.atRoot(shape.root(), 1));
    }
    for (int node = 0; blocks.isGather() && node < packed.length; node++) {
      if (packed[node] != null) {
        copyPacked(blocks, packed[node], levels.ranksOf(node));
      }
    }
  }

  private static void exchangeHere(CallShape shape, RootedBlocks blocks, Levels levels) {
    for (int rank : levels.here()) {
      if (rank != shape.root()) {
        blocks.exchangeBelow(rank, blocks.atRoot(rank, 1));
      }
    }
  }

  private static void copyPacked(RootedBlocks blocks, Slice packed, int[] ranks) {
    for (int i = 0; i < ranks.length; i++) {
      blocks.copy(blocks.part(packed, i, 1), blocks.atRoot(ranks[i], 1));
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
