// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;

/**
 * Collectives in which all ranks need data of all, over the communicator's region in two steps. Each rank publishes its
 * contribution for rank 0, which publishes all of them together, or their result. So each rank polls about three words
 * instead of one for each other rank.
 *
 * <p>Operands are combined in the order of the message algorithms, so that results have the same bits.
 */
final class RegionTree extends RegionAlgorithm {
  static final String NAME = "region-tree";

  private static final int LEADER = 0;

  RegionTree(Collective collective) {
    super(NAME, collective, "two steps in shared memory, by way of rank 0");
  }

  @Override
  long publishedBytes(CallShape shape) {
    return switch (collective()) {
      case ALLGATHER, SCAN, EXSCAN -> shape.size() * shape.bytes();
      default -> shape.publishedBytes();
    };
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.rank() == LEADER) {
      lead(shape, builder);
    } else {
      follow(shape, builder);
    }
  }

  private void follow(CallShape shape, ScheduleBuilder builder) {
    int rank = shape.rank();
    long units = shape.units();
    builder.publish(contribution(shape, builder), LEADER);
    switch (collective()) {
      case BARRIER -> builder.fetch(LEADER, 0, Slice.NOTHING);
      case ALLGATHER -> builder.fetch(LEADER, 0, builder.receiveBuffer(0, shape.size() * units));
      case SCAN -> builder.fetch(LEADER, rank * units, builder.receiveBuffer(0, units));
      case EXSCAN -> builder.fetch(LEADER, (rank - 1) * units, builder.receiveBuffer(0, units));
      case REDUCE_SCATTER_BLOCK -> builder.fetch(LEADER, rank * units, builder.receiveBuffer(0, units));
      case REDUCE_SCATTER -> {
        Counts counts = (Counts) shape.layout();
        if (counts.of(rank) > 0) {
          builder.fetch(LEADER, counts.start(rank), builder.receiveBuffer(0, counts.of(rank)));
        }
      }
      default -> builder.fetch(LEADER, 0, builder.receiveBuffer(0, units));
    }
  }

  private void lead(CallShape shape, ScheduleBuilder builder) {
    switch (collective()) {
      case BARRIER -> {
        fetchOthers(shape, builder, Slice.NOTHING);
        builder.publish(Slice.NOTHING, Step.ALL);
      }
      case ALLGATHER -> {
        Slice all = builder.receiveBuffer(0, shape.size() * shape.units());
        builder.copy(contribution(shape, builder), all.part(0, shape.units()));
        fetchOthers(shape, builder, all);
        builder.publish(all, Step.ALL);
      }
      case SCAN, EXSCAN -> scan(shape, builder);
      default -> reduce(shape, builder);
    }
  }

  /** Copies the block that each other rank publishes to its place. */
  private static void fetchOthers(CallShape shape, ScheduleBuilder builder, Slice all) {
    for (int r = 1; r < shape.size(); r++) {
      builder.fetch(r, 0, all.units() == 0 ? Slice.NOTHING : all.part(r * shape.units(), shape.units()));
    }
  }

  /** Shows the results of all ranks, one after the other. */
  private void scan(CallShape shape, ScheduleBuilder builder) {
    long units = shape.units();
    int results = collective() == Collective.SCAN ? shape.size() : shape.size() - 1;
    Slice all = builder.scratch(results * units);
    Slice own = contribution(shape, builder);
    builder.copy(own, all.part(0, units));
    for (int r = 1; r < results; r++) {
      builder.fetch(r, 0, all.part(r * units, units));
      builder.reduce(all.part((r - 1) * units, units), all.part(r * units, units));
    }
    builder.publish(all, Step.ALL);
    if (collective() == Collective.SCAN) {
      builder.copy(own, builder.receiveBuffer(0, units));
    }
  }

  /** Shows the whole result. */
  private void reduce(CallShape shape, ScheduleBuilder builder) {
    Slice own = contribution(shape, builder);
    boolean isWhole = collective() == Collective.ALLREDUCE;
    Slice result = isWhole && !shape.inPlace() ? builder.receiveBuffer(0, own.units()) : builder.scratch(own.units());
    new OperandOrder(shape, builder, new OperandOrder.Source() {
      @Override
      public void take(int rank, Slice into) {
        if (rank == LEADER) {
          builder.copy(own, into);
        } else {
          builder.fetch(rank, 0, into);
        }
      }

      @Override
      public void add(int rank, Slice right) {
        if (rank == LEADER) {
          builder.reduce(own, right);
        } else {
          builder.combine(rank, 0, right);
        }
      }
    }, builder::scratch).combine(result);
    builder.publish(result, Step.ALL);
    long units = isWhole ? own.units()
        : shape.layout() instanceof Counts counts ? counts.of(LEADER) : shape.units();
    if (units > 0) {
      builder.copy(result.part(0, units), builder.receiveBuffer(0, units));
    }
  }

  /** Returns all that this rank contributes. */
  private Slice contribution(CallShape shape, ScheduleBuilder builder) {
    return switch (collective()) {
      case BARRIER -> Slice.NOTHING;
      case ALLGATHER -> shape.inPlace()
          ? builder.receiveBuffer(shape.rank() * shape.units(), shape.units())
          : builder.sendBuffer(0, shape.units());
      case REDUCE_SCATTER_BLOCK -> builder.contribution(0, shape.size() * shape.units());
      default -> builder.contribution(0, shape.units());
    };
  }
}
