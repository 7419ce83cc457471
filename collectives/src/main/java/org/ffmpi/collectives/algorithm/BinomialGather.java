// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * Gather up a binomial tree: the root gets ceil(log2 n) messages instead of n - 1. Inner ranks collect the blocks of
 * their subtree, which are consecutive counted from the root, and pass them on as one message.
 */
final class BinomialGather extends Algorithm {
  BinomialGather() {
    super("binomial", Collective.GATHER, "the root receives log2 n messages");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      root(shape, builder);
    } else {
      inner(shape, builder);
    }
  }

  private static void inner(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int v = shape.relative();
    int present = Tree.presentIn(v, shape.size());
    Slice all = builder.sendBuffer(0, block);
    if (present > 1) {
      all = builder.scratch(present * block);
      for (int child = 1; child < present; child <<= 1) {
        int blocks = Tree.presentIn(v + child, shape.size());
        builder.receive(shape.absolute(v + child), all.part(child * block, blocks * block));
      }
      builder.copy(builder.sendBuffer(0, block), all.part(0, block));
    }
    builder.send(shape.absolute(v & (v - 1)), all);
  }

  private static void root(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int size = shape.size();
    Slice split = null; // the one subtree that contains the last rank and rank 0: two runs of the receive buffer
    long upper = 0;
    for (int child = 1; child < size; child <<= 1) {
      int blocks = Tree.presentIn(child, size);
      int rank = shape.absolute(child);
      if (rank + blocks <= size) {
        builder.receive(rank, builder.receiveBuffer(rank * block, blocks * block));
      } else {
        split = builder.scratch(blocks * block);
        upper = (size - rank) * block;
        builder.receive(rank, split);
      }
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(shape.root() * block, block));
    }
    if (split != null) {
      long wrapped = split.units() - upper;
      builder.copy(split.part(0, upper), builder.receiveBuffer(size * block - upper, upper));
      builder.copy(split.part(upper, wrapped), builder.receiveBuffer(0, wrapped));
    }
  }
}
