// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * Scatter down a binomial tree: the root sends ceil(log2 n) messages instead of n - 1, the largest first. Inner ranks
 * get the blocks of their subtree, which are consecutive counted from the root, as one message and hand the parts on.
 */
final class BinomialScatter extends Algorithm {
  BinomialScatter() {
    super("binomial", Collective.SCATTER, "the root sends log2 n messages");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      root(shape, builder);
    } else {
      inner(shape, builder);
    }
  }

  private static void root(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int size = shape.size();
    for (int child = Tree.ceilingPowerOfTwo(size) >> 1; child > 0; child >>= 1) {
      int blocks = Tree.presentIn(child, size);
      int rank = shape.absolute(child);
      if (rank + blocks <= size) {
        builder.send(rank, builder.sendBuffer(rank * block, blocks * block));
        continue;
      }
      // The one subtree that contains the last rank and rank 0: two runs of the send buffer.
      Slice joined = builder.scratch(blocks * block);
      long upper = (size - rank) * block;
      long wrapped = joined.units() - upper;
      builder.copy(builder.sendBuffer(size * block - upper, upper), joined.part(0, upper));
      builder.copy(builder.sendBuffer(0, wrapped), joined.part(upper, wrapped));
      builder.send(rank, joined);
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(shape.root() * block, block), builder.receiveBuffer(0, block));
    }
  }

  private static void inner(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int v = shape.relative();
    int present = Tree.presentIn(v, shape.size());
    Slice own = builder.receiveBuffer(0, block);
    Slice all = present > 1 ? builder.scratch(present * block) : own;
    builder.receive(shape.absolute(v & (v - 1)), all);
    for (int child = Tree.subtreeOf(v, shape.size()) >> 1; child > 0; child >>= 1) {
      if (v + child < shape.size()) {
        int blocks = Tree.presentIn(v + child, shape.size());
        builder.send(shape.absolute(v + child), all.part(child * block, blocks * block));
      }
    }
    builder.copy(all.part(0, block), own);
  }
}
