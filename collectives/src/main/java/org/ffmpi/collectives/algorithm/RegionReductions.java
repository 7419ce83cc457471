// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;

/**
 * Reductions over the communicator's region. Each rank publishes its contribution, and each rank with a result combines
 * what it needs straight out of the others' slots, in one round and without messages. Contributions must fit into a
 * slot.
 *
 * <p>All ranks that compute the same result combine in the same order, that of the message algorithms, and get the same
 * bits.
 */
final class RegionReductions extends RegionAlgorithm {
  RegionReductions(Collective collective) {
    super(collective);
  }

  @Override
  public boolean isInOneRound() {
    return true;
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    long all = collective() == Collective.REDUCE_SCATTER_BLOCK ? shape.size() * shape.units() : shape.units();
    long from = 0;
    long units = shape.units();
    boolean hasResult = true;
    int reader = Step.ALL;
    switch (collective()) {
      case REDUCE -> {
        reader = shape.root();
        hasResult = shape.isRoot();
      }
      case REDUCE_SCATTER_BLOCK -> from = shape.rank() * units;
      case REDUCE_SCATTER -> {
        Counts counts = (Counts) shape.layout();
        from = counts.start(shape.rank());
        units = counts.of(shape.rank());
      }
      case EXSCAN -> hasResult = shape.rank() > 0;
      default -> { }
    }
    builder.publish(builder.contribution(0, all), reader);
    if (hasResult && units > 0) {
      new OperandOrder(shape, builder, published(builder, from), builder::scratch)
          .combine(builder.receiveBuffer(0, units));
    }
  }

  /** Returns the published contributions, from a unit on. */
  private static OperandOrder.Source published(ScheduleBuilder builder, long from) {
    return new OperandOrder.Source() {
      @Override
      public void take(int rank, Slice into) {
        builder.fetch(rank, from, into);
      }

      @Override
      public void add(int rank, Slice right) {
        builder.combine(rank, from, right);
      }
    };
  }
}
