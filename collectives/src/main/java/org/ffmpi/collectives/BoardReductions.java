// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * Reductions over the communicator's board: each rank shows its contribution, and each rank that is to have a result
 * combines what it needs, straight out of the others' slots. One round and no message. For contributions that fit into
 * a slot.
 *
 * <p>Whoever computes a result begins with the highest rank's operand and goes down to rank 0, so operands are never
 * exchanged, and all ranks that compute the same result get the same bits.
 */
final class BoardReductions implements Algorithm {
  private final Collective collective;

  BoardReductions(Collective collective) {
    this.collective = collective;
  }

  @Override
  public String name() {
    return Algorithms.BOARD;
  }

  @Override
  public String merit() {
    return "one round in shared memory";
  }

  @Override
  public Collective collective() {
    return collective;
  }

  @Override
  public boolean accepts(Shape shape) {
    return Algorithms.fitsOnBoard(shape);
  }

  @Override
  public void build(Shape shape, ScheduleBuilder builder) {
    int last = shape.size() - 1;
    switch (collective) {
      case REDUCE -> {
        builder.post(builder.contribution(0, shape.units()), shape.root());
        if (shape.isRoot()) {
          combine(builder, last, 0, builder.receiveBuffer(0, shape.units()));
        }
      }
      case ALLREDUCE -> {
        builder.post(builder.contribution(0, shape.units()), Step.Post.ALL);
        combine(builder, last, 0, builder.receiveBuffer(0, shape.units()));
      }
      case REDUCE_SCATTER_BLOCK -> {
        builder.post(builder.contribution(0, shape.size() * shape.units()), Step.Post.ALL);
        combine(builder, last, shape.rank() * shape.units(), builder.receiveBuffer(0, shape.units()));
      }
      case REDUCE_SCATTER -> {
        Counts counts = (Counts) shape.layout();
        builder.post(builder.contribution(0, shape.units()), Step.Post.ALL);
        long units = counts.of(shape.rank());
        if (units == 0) {
          builder.fetch(last, 0, Slice.NOTHING);
        } else {
          combine(builder, last, counts.start(shape.rank()), builder.receiveBuffer(0, units));
        }
      }
      case SCAN -> {
        builder.post(builder.contribution(0, shape.units()), Step.Post.ALL);
        combine(builder, shape.rank(), 0, builder.receiveBuffer(0, shape.units()));
      }
      case EXSCAN -> {
        builder.post(builder.contribution(0, shape.units()), Step.Post.ALL);
        if (shape.rank() > 0) {
          combine(builder, shape.rank() - 1, 0, builder.receiveBuffer(0, shape.units()));
        }
      }
      default -> throw new AssertionError(collective);
    }
  }

  /** Combines what the ranks from {@code last} down to 0 show from a unit on. */
  private static void combine(ScheduleBuilder builder, int last, long from, Slice result) {
    builder.fetch(last, from, result);
    for (int rank = last - 1; rank >= 0; rank--) {
      builder.combine(rank, from, result);
    }
  }
}
