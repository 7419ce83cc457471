// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * Reduction up a binomial tree, in pieces: while one piece is combined the next ones arrive.
 *
 * <p>Each partial result covers consecutive numbers and takes in those of its children in ascending order, so operands
 * never change places. Where the operation commutes, numbers count from the root; otherwise they are the ranks
 * themselves, and rank 0 hands the result on to the root. Either way the order depends on nothing but the number of
 * ranks and the root.
 */
final class BinomialReduce extends Algorithm {
  BinomialReduce() {
    super("binomial", Collective.REDUCE, "log2 n rounds, in pieces that flow");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule in the making. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final int top;
    private final int v;
    private final int children;
    private final long piece;
    private final int pieces;
    private final Slice[] ring;
    private Accumulator sum;

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.top = shape.ordered() ? 0 : shape.root();
      this.v = Math.floorMod(shape.rank() - top, shape.size());
      int count = 0;
      while (1 << count < Tree.presentIn(v, shape.size())) {
        count++;
      }
      this.children = count;
      this.piece = builder.segment(shape.units());
      this.pieces = Math.toIntExact((shape.units() + piece - 1) / piece);
      // One place for each child's piece in use, for those received ahead, and for a result on its way up.
      this.ring = new Slice[Math.min(children + AHEAD + 1, children * pieces)];
    }

    void write() {
      int items = children * pieces;
      for (int i = 0; i < items + AHEAD; i++) {
        if (i < items) {
          builder.receive(rank(v + (1 << i % children)), place(i));
        }
        if (i >= AHEAD) {
          combine(i - AHEAD);
        }
      }
      if (children == 0) {
        for (int p = 0; p < pieces; p++) {
          passOn(p, contribution(p));
        }
      }
    }

    private void combine(int item) {
      int p = item / children;
      int child = item % children;
      if (child == 0) {
        sum = new Accumulator(builder, contribution(p), shape.inPlace());
      }
      sum.expect(false, shape.ordered(), null);
      sum.combineAll(place(item));
      if (child == children - 1) {
        passOn(p, sum.at());
      }
    }

    private void passOn(int p, Slice result) {
      if (v != 0) {
        builder.send(rank(v & (v - 1)), result);
        if (shape.isRoot()) {
          builder.receive(top, part(p, true));
        }
      } else if (shape.isRoot()) {
        builder.copy(result, part(p, true));
      } else {
        builder.send(shape.root(), result);
      }
    }

    /** Returns where item's piece is received: at the root the last child's in the result's own place. */
    private Slice place(int item) {
      boolean last = item % children == children - 1;
      int p = item / children;
      if (last && v == 0 && shape.isRoot() && !shape.inPlace()) {
        return part(p, true);
      }
      int index = item % ring.length;
      if (ring[index] == null) {
        ring[index] = builder.scratch(piece);
      }
      return ring[index].part(0, length(p));
    }

    private Slice contribution(int p) {
      return part(p, shape.inPlace());
    }

    private Slice part(int p, boolean ofReceiveBuffer) {
      return ofReceiveBuffer
          ? builder.receiveBuffer(p * piece, length(p))
          : builder.sendBuffer(p * piece, length(p));
    }

    private long length(int p) {
      return Math.min(piece, shape.units() - p * piece);
    }

    private int rank(int number) {
      return (number + top) % shape.size();
    }
  }
}
