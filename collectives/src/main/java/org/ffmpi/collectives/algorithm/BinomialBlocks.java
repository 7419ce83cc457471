// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.stream.IntStream;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A gather up, or a scatter down, a binomial tree. The root has ceil(log2 n) messages instead of n - 1; it sends the
 * largest first. An inner rank passes on the blocks of its subtree, which are consecutive counted from the root, as one
 * message.
 */
final class BinomialBlocks extends Algorithm {
  BinomialBlocks(Collective collective) {
    super("binomial", collective,
        collective == Collective.GATHER ? "the root receives log2 n messages" : "the root sends log2 n messages");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    RootedBlocks blocks = new RootedBlocks(shape, builder);
    if (shape.isRoot()) {
      root(shape, blocks);
    } else {
      inner(shape, blocks);
    }
  }

  /** Returns the distances of a number's children, the lowest first in a gather, the highest first in a scatter. */
  private static int[] children(RootedBlocks blocks, int v, int size) {
    int[] children = Tree.children(v, size, number -> number - v);
    int last = children.length - 1;
    return blocks.isGather() ? children : IntStream.rangeClosed(0, last).map(i -> children[last - i]).toArray();
  }

  private static void inner(CallShape shape, RootedBlocks blocks) {
    int size = shape.size();
    int v = shape.relative();
    int parent = shape.absolute(v & (v - 1));
    int present = Tree.presentIn(v, size);
    Slice own = blocks.own();
    Slice all = present > 1 ? blocks.scratch(present) : own;
    if (!blocks.isGather()) {
      blocks.exchangeAbove(parent, all);
    }
    for (int child : children(blocks, v, size)) {
      Slice subtree = blocks.part(all, child, Tree.presentIn(v + child, size));
      blocks.exchangeBelow(shape.absolute(v + child), subtree);
    }
    blocks.copy(own, blocks.part(all, 0, 1));
    if (blocks.isGather()) {
      blocks.exchangeAbove(parent, all);
    }
  }

  private static void root(CallShape shape, RootedBlocks blocks) {
    int size = shape.size();
    Slice split = null; // the one subtree that contains the last rank and rank 0: two runs of the root's buffer
    int upper = 0; // blocks of its first run
    int wrapped = 0;
    for (int child : children(blocks, 0, size)) {
      int present = Tree.presentIn(child, size);
      int rank = shape.absolute(child);
      if (rank + present <= size) {
        blocks.exchangeBelow(rank, blocks.atRoot(rank, present));
        continue;
      }
      split = blocks.scratch(present);
      upper = size - rank;
      wrapped = present - upper;
      if (!blocks.isGather()) {
        copySplit(blocks, split, upper, wrapped, size);
      }
      blocks.exchangeBelow(rank, split);
    }
    if (!shape.inPlace()) {
      blocks.copy(blocks.own(), blocks.atRoot(shape.root(), 1));
    }
    if (split != null && blocks.isGather()) {
      copySplit(blocks, split, upper, wrapped, size);
    }
  }

  private static void copySplit(RootedBlocks blocks, Slice split, int upper, int wrapped, int size) {
    blocks.copy(blocks.part(split, 0, upper), blocks.atRoot(size - upper, upper));
    blocks.copy(blocks.part(split, upper, wrapped), blocks.atRoot(0, wrapped));
  }
}
