// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A scan, or exscan, of short messages in ceil(log2 n) rounds. In round k each rank sends the rank 2^k further on the
 * sum of itself and the 2^k - 1 ranks before it, and combines the same sum of the rank 2^k before. Operands stay in the
 * order of ranks.
 */
final class DoublingScan extends Algorithm {
  DoublingScan(Collective collective) {
    super("recursive-doubling", collective, "log2 n rounds");
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
    Slice result = builder.receiveBuffer(0, units);
    builder.copy(builder.contribution(0, units), result);
    Slice lower = shape.rank() > 0 ? builder.scratch(units) : null;
    for (int distance = 1; distance < shape.size(); distance <<= 1) {
      if (shape.rank() + distance < shape.size()) {
        builder.send(shape.rank() + distance, result);
      }
      if (shape.rank() >= distance) {
        builder.receive(shape.rank() - distance, lower);
        builder.reduce(lower, result);
      }
    }
  }

  /** Keeps two sums: with the own contribution, for the others, and without, the result. */
  private static void exscan(CallShape shape, ScheduleBuilder builder) {
    long units = shape.units();
    int rank = shape.rank();
    int size = shape.size();
    Slice sum = builder.contribution(0, units);
    Slice result = null; // the first rank has none
    Slice lower = null;
    if (rank > 0) {
      if (rank < size - 1) {
        Slice own = sum;
        sum = builder.scratch(units);
        builder.copy(own, sum);
      }
      result = builder.receiveBuffer(0, units);
      lower = builder.scratch(units);
    }
    for (int distance = 1; distance < size; distance <<= 1) {
      if (rank + distance < size) {
        builder.send(rank + distance, sum);
      }
      if (rank >= distance) {
        Slice place = distance == 1 ? result : lower;
        builder.receive(rank - distance, place);
        if (distance > 1) {
          builder.reduce(lower, result);
        }
        if (rank + 2 * distance < size) {
          builder.reduce(place, sum);
        }
      }
    }
  }
}
