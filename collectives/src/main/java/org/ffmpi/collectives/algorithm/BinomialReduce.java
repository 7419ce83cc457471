// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * A reduction up a binomial tree, in pieces; while one piece is combined, the next ones arrive.
 *
 * <p>Each partial result covers consecutive numbers and combines those of its children in ascending order, so operands
 * never change places. Where the operation commutes, numbers count from the root; otherwise they are the ranks
 * themselves, and rank 0 sends the result to the root. Either way the order depends on nothing but the number of
 * ranks and the root.
 */
final class BinomialReduce extends Algorithm {
  BinomialReduce() {
    super("binomial", Collective.REDUCE, "log2 n rounds, in pieces that flow");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int size = shape.size();
    int top = shape.ordered() ? 0 : shape.root();
    int v = Math.floorMod(shape.rank() - top, size);
    int parent = v == 0 ? ReduceTree.NONE : ((v & v - 1) + top) % size;
    new ReduceTree(shape, builder, top, parent, Tree.children(v, size, number -> (number + top) % size)).write();
  }
}
