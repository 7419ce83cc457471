// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A reduce-scatter in one round, in which each rank sends every other one its contribution to that rank's part, and
 * combines those to its own in the order of the ranks, from the highest down.
 */
final class PairwiseReduceScatter extends Algorithm {
  PairwiseReduceScatter(Collective collective) {
    super("pairwise", collective, "one round");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int size = shape.size();
    int rank = shape.rank();
    for (int i = 1; i < size; i++) {
      int to = (rank + i) % size;
      builder.send(to, part(shape, builder, to));
    }
    Slice own = part(shape, builder, rank);
    long units = own.units();
    Slice home = builder.receiveBuffer(0, units);
    Slice sum = shape.inPlace() ? builder.scratch(units) : home;
    Slice[] ring = new Slice[AHEAD + 1];
    // The contributions of lower ranks are left operands: the highest comes first, and stays where the sum is.
    for (int i = 0; i < size + AHEAD; i++) {
      if (i < size) {
        receive(builder, size - 1 - i, rank, own, sum, ring, i);
      }
      if (i >= AHEAD && i - AHEAD > 0) {
        int from = size - 1 - (i - AHEAD);
        builder.reduce(from == rank ? own : ring[(i - AHEAD) % ring.length], sum);
      }
    }
    builder.copy(sum, home);
  }

  private static void receive(
      ScheduleBuilder builder, int from, int rank, Slice own, Slice sum, Slice[] ring, int index) {
    if (from == rank) {
      if (index == 0) {
        builder.copy(own, sum);
      }
      return;
    }
    if (index == 0) {
      builder.receive(from, sum);
      return;
    }
    if (ring[index % ring.length] == null) {
      ring[index % ring.length] = builder.scratch(own.units());
    }
    builder.receive(from, ring[index % ring.length]);
  }

  private static Slice part(CallShape shape, ScheduleBuilder builder, int rank) {
    return builder.contribution(shape.start(rank), shape.length(rank));
  }
}
