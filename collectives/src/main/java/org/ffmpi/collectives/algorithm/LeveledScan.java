// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A scan, or exscan, where each node has consecutive ranks. A scan within each node gives its last rank the sum of the
 * node; an exscan of these sums follows between nodes; its result is combined with all results of the node.
 */
final class LeveledScan extends LeveledAlgorithm {
  /** On fewer ranks a chain is as quick as log2 n rounds, with fewer messages. */
  private static final int MANY = 8;

  private static final Algorithm EXSCAN_BETWEEN = new DoublingScan(Collective.EXSCAN);

  private final Algorithm chain = new LinearScan(collective());
  private final Algorithm doubling = new DoublingScan(collective());

  LeveledScan(Collective collective) {
    super(collective);
  }

  @Override
  public boolean accepts(CallShape shape) {
    return super.accepts(shape) && shape.nodes().isInOrder();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, 0);
    boolean isLast = levels.index() == levels.size() - 1;
    if (collective() == Collective.SCAN) {
      scan(shape, builder, levels, isLast);
    } else {
      exscan(shape, builder, levels, isLast);
    }
  }

  private void scan(CallShape shape, ScheduleBuilder builder, Levels levels, boolean isLast) {
    long units = shape.units();
    Slice result = builder.receiveBuffer(0, units);
    levels.within(within(levels.size()), 0, units, null, shape.inPlace() ? null : builder.sendBuffer(0, units), result);
    Slice lower = levels.node() == 0 ? null : builder.scratch(units);
    if (isLast) {
      levels.amongLast(EXSCAN_BETWEEN, units, result, lower);
    }
    if (lower != null) {
      levels.bcastWithin(levels.size() - 1, lower);
      builder.reduce(lower, result);
    }
  }

  private void exscan(CallShape shape, ScheduleBuilder builder, Levels levels, boolean isLast) {
    long units = shape.units();
    boolean isFirst = levels.index() == 0;
    Slice own = builder.contribution(0, units);
    Slice sum = own;
    if (levels.size() > 1) {
      boolean passesOn = isLast && levels.node() < shape.nodes().nodes() - 1;
      if (passesOn) {
        sum = builder.scratch(units);
        builder.copy(own, sum); // in place, the result comes where the contribution is
      }
      levels.within(within(levels.size()), 0, units, null, shape.inPlace() ? null : own,
          isFirst && !shape.inPlace() ? null : builder.receiveBuffer(0, units));
      if (passesOn) {
        builder.reduce(builder.receiveBuffer(0, units), sum);
      }
    }
    // The first rank of a node has no result yet: what comes from lower nodes is its own.
    boolean direct = isFirst && !(isLast && shape.inPlace());
    Slice lower = levels.node() == 0 ? null : direct ? builder.receiveBuffer(0, units) : builder.scratch(units);
    if (isLast) {
      levels.amongLast(EXSCAN_BETWEEN, units, sum, lower);
    }
    if (lower == null) {
      return;
    }
    levels.bcastWithin(levels.size() - 1, lower);
    if (isFirst) {
      builder.copy(lower, builder.receiveBuffer(0, units));
    } else {
      builder.reduce(lower, builder.receiveBuffer(0, units));
    }
  }

  private Algorithm within(int ranks) {
    return ranks < MANY ? chain : doubling;
  }

  @Override
  String within(CallShape shape) {
    return within(shape.nodes().most()).name();
  }

  @Override
  String between(CallShape shape) {
    return EXSCAN_BETWEEN.name();
  }
}
