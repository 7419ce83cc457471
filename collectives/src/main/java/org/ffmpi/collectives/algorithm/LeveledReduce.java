// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.stream.IntStream;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * A reduction up the trees of the nodes and a tree of their leaders, the root being one, in pieces, with one message
 * from each other node. Where operands must keep their places, rank 0 leads its node and sends the result to the root.
 */
final class LeveledReduce extends LeveledAlgorithm {
  LeveledReduce() {
    super(Collective.REDUCE);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int top = shape.ordered() ? 0 : shape.root();
    Levels levels = new Levels(shape, builder, top);
    int[] children = IntStream.concat(
        IntStream.of(levels.childrenHere(false)), IntStream.of(levels.childrenElsewhere(false))).toArray();
    new ReduceTree(shape, builder, top, levels.parent(false), children).write();
  }

  @Override
  String within(CallShape shape) {
    return "binomial";
  }

  @Override
  String between(CallShape shape) {
    return "binomial";
  }
}
