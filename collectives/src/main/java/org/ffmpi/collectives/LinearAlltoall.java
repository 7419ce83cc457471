// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * Alltoall in one round: each rank sends every other one its block, beginning with its neighbour. In place, partners
 * swap their blocks, pair after pair, so that copies of few blocks are needed at a time. The same with blocks of
 * different lengths and types.
 */
final class LinearAlltoall implements Algorithm {
  private final Collective collective;

  LinearAlltoall(Collective collective) {
    this.collective = collective;
  }

  @Override
  public String name() {
    return "linear";
  }

  @Override
  public Collective collective() {
    return collective;
  }

  /** How many swaps are under way at a time. */
  private static final int SWAPS = 4;

  @Override
  public void build(Shape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int size = shape.size();
    int rank = shape.rank();
    if (shape.inPlace()) {
      swap(shape, builder);
      return;
    }
    for (int i = 1; i < size; i++) {
      int to = (rank + i) % size;
      builder.send(to, builder.sendBuffer(to * block, block));
    }
    for (int i = 1; i < size; i++) {
      int from = Math.floorMod(rank - i, size);
      builder.receive(from, builder.receiveBuffer(from * block, block));
    }
    builder.copy(builder.sendBuffer(rank * block, block), builder.receiveBuffer(rank * block, block));
  }

  /** In round k, ranks whose sum is k modulo n are partners. */
  private static void swap(Shape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int[] under = new int[SWAPS];
    int count = 0;
    for (int k = 0; k < shape.size(); k++) {
      int partner = Math.floorMod(k - shape.rank(), shape.size());
      if (partner != shape.rank()) {
        if (count >= SWAPS) {
          builder.after(under[count % SWAPS]);
        }
        under[count++ % SWAPS] = builder.swap(partner, builder.receiveBuffer(partner * block, block));
      }
    }
  }
}
