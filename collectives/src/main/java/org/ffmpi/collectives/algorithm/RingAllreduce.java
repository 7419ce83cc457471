// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allreduce of long vectors round a ring. The vector is cut into n blocks; each block travels once round the ring
 * collecting contributions, and once more as the result. Every rank sends and receives the vector less than twice, only
 * to and from its neighbours, in pieces that flow without a stop between the rounds.
 *
 * <p>The result of block b is computed along the chain b+1, b+2 … b of ranks and copied to all, so all have the same
 * bits; for operations that commute.
 */
final class RingAllreduce extends Algorithm {
  RingAllreduce() {
    super("ring", Collective.ALLREDUCE, "each rank sends less than twice the vector, in pieces that flow");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return !shape.ordered();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (shape.size() == 1) {
      builder.copy(builder.contribution(0, shape.units()), builder.receiveBuffer(0, shape.units()));
    } else {
      new Writer(shape, builder).write();
    }
  }

  /** One rank's schedule in the making. Its items are the pieces it receives, in order. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final int rounds;
    private final int right;
    private final int left;
    private final long piece;
    private final int pieces;
    private final Slice[] ring;

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.rounds = shape.size() - 1;
      this.right = (shape.rank() + 1) % shape.size();
      this.left = Math.floorMod(shape.rank() - 1, shape.size());
      long longest = Tree.blockStart(shape.units(), shape.size(), 1);
      this.piece = builder.segment(longest);
      this.pieces = Math.toIntExact((longest + piece - 1) / piece);
      // The right neighbour takes a piece up to one round later: fewer places and all could wait for one another.
      this.ring = new Slice[pieces + AHEAD + 1];
    }

    void write() {
      for (int p = 0; p < pieces; p++) {
        builder.send(right, contribution(left, p));
      }
      int items = 2 * rounds * pieces;
      for (int i = 0; i < items + AHEAD; i++) {
        if (i < items) {
          builder.receive(left, place(i));
        }
        if (i >= AHEAD) {
          use(i - AHEAD);
        }
      }
    }

    private void use(int item) {
      int round = item / pieces;
      int p = item % pieces;
      Slice received = place(item);
      if (round < rounds) {
        Slice mine = contribution(block(round), p);
        if (round == rounds - 1 && shape.inPlace()) {
          builder.reduce(received, mine);
          received = mine;
        } else {
          builder.reduce(mine, received);
        }
      }
      if (round < 2 * rounds - 1) {
        builder.send(right, received);
      }
    }

    /**
     * Returns the block that arrives in a round: at first partial results, then, from the own block's left on, results.
     */
    private int block(int round) {
      int back = round < rounds ? round + 2 : round - rounds + 1;
      return Math.floorMod(shape.rank() - back, shape.size());
    }

    private Slice place(int item) {
      int round = item / pieces;
      int p = item % pieces;
      int block = block(round);
      boolean partial = round < rounds - 1 || round == rounds - 1 && shape.inPlace();
      if (!partial) {
        return builder.receiveBuffer(start(block, p), length(block, p));
      }
      int index = item % ring.length;
      if (ring[index] == null) {
        ring[index] = builder.scratch(piece);
      }
      return ring[index].part(0, length(block, p));
    }

    private Slice contribution(int block, int p) {
      return builder.contribution(start(block, p), length(block, p));
    }

    private long start(int block, int p) {
      return Math.min(blockStart(block) + p * piece, blockStart(block + 1));
    }

    private long length(int block, int p) {
      return Math.min(blockStart(block) + (p + 1) * piece, blockStart(block + 1)) - start(block, p);
    }

    private long blockStart(int block) {
      return Tree.blockStart(shape.units(), shape.size(), block);
    }
  }
}
