// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.base.Constants;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * Collectives between two groups. Data that are only moved go straight from rank to rank. The contributing group
 * reduces at its rank 0, in the order of its ranks, and the ranks 0 of both groups exchange results.
 */
final class BetweenGroups extends Algorithm {
  BetweenGroups(Collective collective) {
    super("between-groups", collective, "");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return shape.isBetweenGroups();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    switch (collective()) {
      case BARRIER -> barrier(shape, builder);
      case BCAST -> bcast(shape, builder);
      case GATHERV -> gather(shape, builder);
      case SCATTERV -> scatter(shape, builder);
      case ALLGATHERV -> exchange(shape, builder, false);
      case ALLTOALLV -> exchange(shape, builder, true);
      case REDUCE -> reduce(shape, builder);
      case ALLREDUCE -> allreduce(shape, builder);
      case REDUCE_SCATTER_BLOCK, REDUCE_SCATTER -> reduceScatter(shape, builder);
      default -> throw new AssertionError(collective() + " is not defined between groups");
    }
  }

  private static void barrier(CallShape shape, ScheduleBuilder builder) {
    if (shape.rank() != 0) {
      builder.send(shape.local(0), Slice.NOTHING);
      builder.receive(shape.local(0), Slice.NOTHING);
      return;
    }
    int[] heard = new int[shape.size()];
    for (int r = 1; r < shape.size(); r++) {
      heard[r] = builder.receive(shape.local(r), Slice.NOTHING);
    }
    for (int r = 1; r < shape.size(); r++) {
      builder.after(heard[r]);
    }
    builder.send(0, Slice.NOTHING);
    builder.after(builder.receive(0, Slice.NOTHING));
    for (int r = 1; r < shape.size(); r++) {
      builder.send(shape.local(r), Slice.NOTHING);
    }
  }

  private static void bcast(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      for (int r = 0; r < shape.remote(); r++) {
        builder.send(r, builder.sendBuffer(0, shape.units()));
      }
    } else if (shape.root() != Constants.PROC_NULL) {
      builder.receive(shape.root(), builder.receiveBuffer(0, shape.units()));
    }
  }

  private static void gather(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      for (int r = 0; r < shape.remote(); r++) {
        builder.receive(r, builder.receiveBuffer(r, 1));
      }
    } else if (shape.root() != Constants.PROC_NULL) {
      builder.send(shape.root(), builder.sendBuffer(0, 1));
    }
  }

  private static void scatter(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      for (int r = 0; r < shape.remote(); r++) {
        builder.send(r, builder.sendBuffer(r, 1));
      }
    } else if (shape.root() != Constants.PROC_NULL) {
      builder.receive(shape.root(), builder.receiveBuffer(0, 1));
    }
  }

  private static void exchange(CallShape shape, ScheduleBuilder builder, boolean ofEachOwn) {
    int others = shape.remote();
    for (int i = 0; i < others; i++) {
      int to = (shape.rank() + i) % others;
      builder.send(to, builder.sendBuffer(ofEachOwn ? to : 0, 1));
    }
    for (int i = 0; i < others; i++) {
      int from = Math.floorMod(shape.rank() - i, others);
      builder.receive(from, builder.receiveBuffer(from, 1));
    }
  }

  private static void reduce(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      builder.receive(0, builder.receiveBuffer(0, shape.units()));
    } else if (shape.root() != Constants.PROC_NULL) {
      Slice sum = reduceWithin(shape, builder, shape.units());
      if (sum != null) {
        builder.send(shape.root(), sum);
      }
    }
  }

  private static void allreduce(CallShape shape, ScheduleBuilder builder) {
    Slice sum = reduceWithin(shape, builder, shape.units());
    Slice result = builder.receiveBuffer(0, shape.units());
    if (sum == null) {
      builder.receive(shape.local(0), result);
      return;
    }
    builder.send(0, sum);
    builder.receive(0, result);
    for (int r = 1; r < shape.size(); r++) {
      builder.send(shape.local(r), result);
    }
  }

  private static void reduceScatter(CallShape shape, ScheduleBuilder builder) {
    Slice sum = reduceWithin(shape, builder, shape.sendUnits());
    Slice result = builder.receiveBuffer(0, shape.length(shape.rank()));
    if (sum == null) {
      builder.receive(shape.local(0), result);
      return;
    }
    builder.send(0, sum);
    Slice theirs = builder.scratch(sum.units());
    builder.receive(0, theirs);
    long start = result.units();
    for (int r = 1; r < shape.size(); r++) {
      builder.send(shape.local(r), theirs.part(start, shape.length(r)));
      start += shape.length(r);
    }
    builder.copy(theirs.part(0, result.units()), result);
  }

  /** Combines the contributions of this group at its rank 0, from the highest rank down; null at the others. */
  private static Slice reduceWithin(CallShape shape, ScheduleBuilder builder, long units) {
    Slice mine = builder.sendBuffer(0, units);
    if (shape.rank() != 0) {
      builder.send(shape.local(0), mine);
      return null;
    }
    int highest = shape.size() - 1;
    if (highest == 0) {
      return mine;
    }
    Slice sum = builder.scratch(units);
    builder.receive(shape.local(highest), sum);
    Slice next = highest > 1 ? builder.scratch(units) : null;
    for (int r = highest - 1; r > 0; r--) {
      builder.receive(shape.local(r), next);
      builder.reduce(next, sum);
    }
    builder.reduce(mine, sum);
    return sum;
  }
}
