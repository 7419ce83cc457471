// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A broadcast down a tree of the leaders, the root being one, and the trees of their nodes, with one message to each
 * other node. Long ones go along chains, in pieces; a leader sends each piece on before the next one arrives.
 */
final class LeveledBcast extends LeveledAlgorithm {
  LeveledBcast() {
    super(Collective.BCAST);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    boolean chain = Levels.isLong(shape.bytes());
    Levels levels = new Levels(shape, builder, shape.root());
    int parent = levels.parent(chain);
    int[] elsewhere = levels.childrenElsewhere(chain);
    int[] here = levels.childrenHere(chain);
    long piece = chain ? builder.segment(shape.units()) : Math.max(1, shape.units());
    int pieces = Math.toIntExact((shape.units() + piece - 1) / piece);
    for (int i = 0; i < pieces + AHEAD; i++) {
      if (parent != ReduceTree.NONE && i < pieces) {
        builder.receive(parent, slice(shape, builder, piece, i));
      }
      if (i >= AHEAD) {
        Slice what = slice(shape, builder, piece, i - AHEAD);
        sendAll(builder, elsewhere, what); // the longer way first
        sendAll(builder, here, what);
      }
    }
  }

  /** The last child has the largest subtree. */
  private static void sendAll(ScheduleBuilder builder, int[] children, Slice what) {
    for (int i = children.length - 1; i >= 0; i--) {
      builder.send(children[i], what);
    }
  }

  private static Slice slice(CallShape shape, ScheduleBuilder builder, long piece, int index) {
    long from = index * piece;
    long units = Math.min(piece, shape.units() - from);
    return shape.isRoot() ? builder.sendBuffer(from, units) : builder.receiveBuffer(from, units);
  }

  @Override
  String within(CallShape shape) {
    return Levels.isLong(shape.bytes()) ? "chain" : "binomial";
  }

  @Override
  String between(CallShape shape) {
    return within(shape);
  }
}
