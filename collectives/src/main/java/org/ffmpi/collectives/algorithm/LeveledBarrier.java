// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A barrier in levels. Signals go up the tree of each node; the leaders signal each other in ceil(log2 n) rounds; then
 * signals go down the trees.
 */
final class LeveledBarrier extends LeveledAlgorithm {
  private static final Algorithm DISSEMINATION = new DisseminationBarrier();

  LeveledBarrier() {
    super(Collective.BARRIER);
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Levels levels = new Levels(shape, builder, 0);
    int[] children = levels.childrenHere(false);
    for (int child : children) {
      builder.receive(child, Slice.NOTHING);
    }
    builder.afterReceives();
    if (levels.isLeader()) {
      levels.between(DISSEMINATION, 0, null, null, null);
    } else {
      int parent = levels.parent(false);
      builder.send(parent, Slice.NOTHING);
      builder.receive(parent, Slice.NOTHING);
    }
    builder.afterReceives();
    for (int i = children.length - 1; i >= 0; i--) {
      builder.send(children[i], Slice.NOTHING);
    }
  }

  @Override
  String within(CallShape shape) {
    return "binomial";
  }

  @Override
  String between(CallShape shape) {
    return DISSEMINATION.name();
  }
}
