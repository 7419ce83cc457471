// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * An alltoall in n - 1 rounds, a few of them under way at a time. In round k each rank sends to the one k further on
 * and receives from the one k before. A round begins when the one {@link #ROUNDS} earlier is over, so that long
 * messages of many ranks do not all want memory and bandwidth at once. Blocks may have different lengths and types.
 */
final class PairwiseAlltoall extends Algorithm {
  /** Number of rounds, or swaps, under way at a time. */
  private static final int ROUNDS = 4;

  PairwiseAlltoall(Collective collective) {
    super("pairwise", collective, "few blocks under way at a time");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.inPlace()) {
      swap(shape, builder);
      return;
    }
    long block = shape.units();
    int size = shape.size();
    int rank = shape.rank();
    int[] sends = new int[ROUNDS];
    int[] receives = new int[ROUNDS];
    for (int round = 1; round < size; round++) {
      int i = round % ROUNDS;
      if (round > ROUNDS) {
        builder.after(receives[i]);
        builder.after(sends[i]);
      }
      int from = Math.floorMod(rank - round, size);
      int to = (rank + round) % size;
      receives[i] = builder.receive(from, builder.receiveBuffer(from * block, block));
      sends[i] = builder.send(to, builder.sendBuffer(to * block, block));
    }
    builder.copy(builder.sendBuffer(rank * block, block), builder.receiveBuffer(rank * block, block));
  }

  /**
   * Writes the exchange in place: partners swap their blocks, pair after pair, so that copies of few blocks are needed
   * at a time. In round k, ranks whose sum is k modulo n are partners.
   */
  static void swap(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    int[] under = new int[ROUNDS];
    int count = 0;
    for (int k = 0; k < shape.size(); k++) {
      int partner = Math.floorMod(k - shape.rank(), shape.size());
      if (partner != shape.rank()) {
        if (count >= ROUNDS) {
          builder.after(under[count % ROUNDS]);
        }
        under[count++ % ROUNDS] = builder.swap(partner, builder.receiveBuffer(partner * block, block));
      }
    }
  }
}
