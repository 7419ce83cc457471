// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allreduce in levels. A short vector is reduced at the leader of each node, the leaders exchange it, and each
 * broadcasts the result. A long one is cut into parts, each with a leader of its own in every node; a reduce-scatter
 * within the node comes first, then as many allreduces between nodes at a time, and an allgather within the node.
 *
 * <p>Every rank gets the result of the same computation, or a copy of it.
 */
final class LeveledAllreduce extends LeveledAlgorithm {
  /** The longest vector that leaders exchange as a whole in every round. */
  private static final long SHORT = 8 << 10;

  private static final Algorithm DOUBLING = new RecursiveDoublingAllreduce();
  private static final Algorithm HALVING = new HalvingAllreduce();
  private static final Algorithm SCATTERED = new PairwiseReduceScatter(Collective.REDUCE_SCATTER);

  LeveledAllreduce() {
    super(Collective.ALLREDUCE);
  }

  @Override
  int leaders(CallShape shape) {
    return Math.clamp(shape.units(), 1, leaders(shape, shape.bytes()));
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int leaders = leaders(shape);
    Levels levels = new Levels(shape, builder, 0);
    if (leaders == 1) {
      byOne(shape, builder, levels);
    } else {
      byParts(shape, builder, levels, leaders);
    }
  }

  private static void byOne(CallShape shape, ScheduleBuilder builder, Levels levels) {
    Slice result = builder.receiveBuffer(0, shape.units());
    Slice own = builder.contribution(0, shape.units());
    if (levels.size() > 1) {
      levels.reduceWithin(0, own, result);
      own = result;
    }
    if (levels.isLeader()) {
      levels.between(exchange(shape.bytes()), shape.units(), null, own.isSame(result) ? null : own, result);
    }
    if (levels.size() > 1) {
      levels.bcastWithin(0, result);
    }
  }

  private static void byParts(CallShape shape, ScheduleBuilder builder, Levels levels, int leaders) {
    long[] lengths = new long[levels.size()];
    for (int i = 0; i < leaders; i++) {
      lengths[i] = Tree.blockStart(shape.units(), leaders, i + 1) - Tree.blockStart(shape.units(), leaders, i);
    }
    Counts parts = new Counts(lengths);
    long units = parts.of(levels.index());
    Slice result = builder.receiveBuffer(0, shape.units());
    Slice own = builder.contribution(0, shape.units());
    Slice home = result.part(parts.start(levels.index()), units);
    Slice sum = shape.inPlace() ? builder.scratch(units) : home;
    levels.within(SCATTERED, 0, shape.units(), parts, own, sum);
    if (levels.index() < leaders) {
      levels.amongIndex(exchange(units * shape.unitBytes()), units, null, shape.inPlace() ? sum : null, home);
    }
    levels.within(gathered(levels.size(), shape.bytes() / leaders), 0, shape.units(), parts, null, result);
  }

  private static Algorithm exchange(long bytes) {
    return bytes <= SHORT ? DOUBLING : HALVING;
  }

  private static Algorithm gathered(int ranks, long bytes) {
    return Levels.allgather(ranks, bytes);
  }

  @Override
  String within(CallShape shape) {
    return leaders(shape) == 1 ? "binomial"
        : SCATTERED.name() + " and " + gathered(shape.nodes().most(), shape.bytes() / leaders(shape)).name();
  }

  @Override
  String between(CallShape shape) {
    return exchange(shape.bytes() / leaders(shape)).name();
  }
}
