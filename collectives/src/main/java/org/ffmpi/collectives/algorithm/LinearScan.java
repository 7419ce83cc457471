// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A scan, or exscan, along the chain of ranks. Each rank receives the result of all lower ones, combines it with its
 * own contribution and sends that on. The order of the operands is that of the ranks.
 */
final class LinearScan extends Algorithm {
  LinearScan(Collective collective) {
    super("chain", collective, "one message for each rank");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (collective() == Collective.SCAN) {
      scan(shape, builder);
    } else {
      exscan(shape, builder);
    }
  }

  private static void scan(CallShape shape, ScheduleBuilder builder) {
    long units = shape.units();
    int rank = shape.rank();
    Slice result = builder.receiveBuffer(0, units);
    if (rank > 0 && !shape.inPlace() && !shape.ordered()) {
      builder.receive(rank - 1, result); // as the right operand, which saves a copy of the own contribution
      builder.reduce(builder.sendBuffer(0, units), result);
    } else if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, units), result);
    }
    if (rank > 0 && (shape.inPlace() || shape.ordered())) {
      Slice lower = builder.scratch(units);
      builder.receive(rank - 1, lower);
      builder.reduce(lower, result);
    }
    if (rank < shape.size() - 1) {
      builder.send(rank + 1, result);
    }
  }

  private static void exscan(CallShape shape, ScheduleBuilder builder) {
    long units = shape.units();
    int rank = shape.rank();
    Slice own = builder.contribution(0, units);
    boolean last = rank == shape.size() - 1;
    if (rank == 0) {
      if (!last) {
        builder.send(1, own);
      }
      return; // the first rank has no result
    }
    Slice result = builder.receiveBuffer(0, units);
    if (last) {
      builder.receive(rank - 1, result);
      return;
    }
    Slice sum = builder.scratch(units);
    builder.copy(own, sum);
    builder.receive(rank - 1, result);
    builder.reduce(result, sum);
    builder.send(rank + 1, sum);
  }
}
