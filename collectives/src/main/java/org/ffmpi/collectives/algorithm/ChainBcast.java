// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A broadcast along a chain, root first, in pieces; while a rank sends one piece, the next one arrives. Each rank sends
 * the message at most once, so that for long messages the time hardly depends on the number of ranks.
 */
final class ChainBcast extends Algorithm {
  ChainBcast() {
    super("chain", Collective.BCAST, "each rank sends everything at most once, in pieces that flow");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int v = shape.relative();
    boolean first = v == 0;
    boolean last = v == shape.size() - 1;
    long piece = builder.segment(shape.units());
    int pieces = Math.toIntExact((shape.units() + piece - 1) / piece);
    for (int i = 0; i < pieces + AHEAD; i++) {
      if (!first && i < pieces) {
        builder.receive(shape.absolute(v - 1), slice(shape, builder, piece, i));
      }
      if (!last && i >= AHEAD) {
        builder.send(shape.absolute(v + 1), slice(shape, builder, piece, i - AHEAD));
      }
    }
  }

  private static Slice slice(CallShape shape, ScheduleBuilder builder, long piece, int index) {
    long from = index * piece;
    long units = Math.min(piece, shape.units() - from);
    return shape.isRoot() ? builder.sendBuffer(from, units) : builder.receiveBuffer(from, units);
  }
}
