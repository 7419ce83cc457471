// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;

/**
 * A transfer of data over the communicator's region, in which ranks publish whole contributions and others copy the
 * parts that they need. It takes one round, one copy in and one out for each reader, and no message. Contributions must
 * fit into a slot.
 *
 * <p>Ranks read what the others publish beginning with their neighbour, so that not all read the same line at once.
 */
final class RegionMoves extends RegionAlgorithm {
  RegionMoves(Collective collective) {
    super(collective);
  }

  @Override
  public boolean isInOneRound() {
    return true;
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    switch (collective()) {
      case BARRIER -> barrier(shape, builder);
      case BCAST -> bcast(shape, builder);
      case GATHER -> gather(shape, builder);
      case SCATTER -> scatter(shape, builder);
      case ALLGATHER -> allgather(shape, builder);
      case ALLTOALL -> alltoall(shape, builder);
      default -> throw new AssertionError(collective());
    }
  }

  private static void barrier(CallShape shape, ScheduleBuilder builder) {
    builder.publish(Slice.NOTHING, Step.ALL);
    for (int i = 1; i < shape.size(); i++) {
      builder.fetch(other(shape, i), 0, Slice.NOTHING);
    }
  }

  private static void bcast(CallShape shape, ScheduleBuilder builder) {
    if (shape.isRoot()) {
      builder.publish(builder.sendBuffer(0, shape.units()), Step.ALL);
    } else {
      builder.fetch(shape.root(), 0, builder.receiveBuffer(0, shape.units()));
    }
  }

  private static void gather(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    if (!shape.isRoot()) {
      builder.publish(builder.sendBuffer(0, block), shape.root());
      return;
    }
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(shape.rank() * block, block));
    }
    fetchAll(shape, builder);
  }

  private static void scatter(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    if (!shape.isRoot()) {
      builder.fetch(shape.root(), shape.rank() * block, builder.receiveBuffer(0, block));
      return;
    }
    builder.publish(builder.sendBuffer(0, shape.size() * block), Step.ALL);
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(shape.rank() * block, block), builder.receiveBuffer(0, block));
    }
  }

  private static void allgather(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    long own = shape.rank() * block;
    builder.publish(shape.inPlace() ? builder.receiveBuffer(own, block) : builder.sendBuffer(0, block), Step.ALL);
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(0, block), builder.receiveBuffer(own, block));
    }
    fetchAll(shape, builder);
  }

  private static void alltoall(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    long own = shape.rank() * block;
    builder.publish(builder.contribution(0, shape.size() * block), Step.ALL);
    if (!shape.inPlace()) {
      builder.copy(builder.sendBuffer(own, block), builder.receiveBuffer(own, block));
    }
    for (int i = 1; i < shape.size(); i++) {
      int rank = other(shape, i);
      builder.fetch(rank, own, builder.receiveBuffer(rank * block, block));
    }
  }

  /** Takes a block of each other rank. */
  private static void fetchAll(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    for (int i = 1; i < shape.size(); i++) {
      int rank = other(shape, i);
      builder.fetch(rank, 0, builder.receiveBuffer(rank * block, block));
    }
  }
}
