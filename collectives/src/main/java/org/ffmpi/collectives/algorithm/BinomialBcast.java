// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A broadcast down a binomial tree, in ceil(log2 n) rounds, each of the whole message. Rank {@code v}, counted from the
 * root, receives it from {@code v} without its lowest set bit, and sends it to the larger subtrees first.
 */
final class BinomialBcast extends Algorithm {
  BinomialBcast() {
    super("binomial", Collective.BCAST, "log2 n rounds");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    int v = shape.relative();
    Slice whole = shape.isRoot()
        ? builder.sendBuffer(0, shape.units())
        : builder.receiveBuffer(0, shape.units());
    if (v != 0) {
      builder.receive(shape.absolute(v & (v - 1)), whole);
    }
    for (int bit = Tree.subtreeOf(v, shape.size()) >> 1; bit > 0; bit >>= 1) {
      if (v + bit < shape.size()) {
        builder.send(shape.absolute(v + bit), whole);
      }
    }
  }
}
