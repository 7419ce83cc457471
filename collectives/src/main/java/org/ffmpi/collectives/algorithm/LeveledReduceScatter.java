// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A reduce-scatter in levels. In each node as many ranks as the smallest node has, or one for a short vector, combine
 * what their node contributes to the parts of the ranks that they serve, on all nodes; they exchange that with the
 * ranks that have their number on the other nodes, and distribute the parts of their own node.
 */
final class LeveledReduceScatter extends LeveledAlgorithm {
  private static final Algorithm SCATTERED = new PairwiseReduceScatter(Collective.REDUCE_SCATTER);

  LeveledReduceScatter(Collective collective) {
    super(collective);
  }

  @Override
  int leaders(CallShape shape) {
    return leaders(shape, shape.start(shape.size()) * shape.unitBytes());
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder, leaders(shape)).write();
  }

  /** One rank's schedule in the making. Leader {@code j} serves the ranks {@code j, j + leaders …} of each node. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final RanksByNode nodes;
    private final Levels levels;
    private final int leaders;

    Writer(CallShape shape, ScheduleBuilder builder, int leaders) {
      this.shape = shape;
      this.builder = builder;
      this.nodes = shape.nodes();
      this.levels = new Levels(shape, builder, 0);
      this.leaders = leaders;
    }

    void write() {
      int index = levels.index();
      Slice result = builder.receiveBuffer(0, shape.length(shape.rank()));
      Slice sum = withinNode(byLeader());
      if (index < leaders) {
        Counts parts = new Counts(lengthsByNode(index));
        long units = parts.of(levels.node());
        Slice mine = units == result.units() && !shape.inPlace() ? result : builder.scratch(units);
        levels.amongIndex(SCATTERED, sum.units(), parts, sum, mine);
        handOut(mine, result);
      } else {
        builder.receive(nodes.rank(nodes.start(levels.node()) + index % leaders), result);
      }
    }

    /** Returns this rank's contribution, those parts together that one leader serves. */
    private Slice byLeader() {
      Slice own = builder.contribution(0, shape.start(shape.size()));
      if (leaders == 1 && nodes.isInOrder()) {
        return own;
      }
      Slice ordered = builder.scratch(own.units());
      long at = 0;
      for (int leader = 0; leader < leaders; leader++) {
        for (int node = 0; node < nodes.nodes(); node++) {
          for (int place = nodes.start(node) + leader; place < nodes.start(node + 1); place += leaders) {
            int rank = nodes.rank(place);
            builder.copy(own.part(shape.start(rank), shape.length(rank)), ordered.part(at, shape.length(rank)));
            at += shape.length(rank);
          }
        }
      }
      return ordered;
    }

    /** Combines the contributions of this node and returns the result for the ranks that this one serves. */
    private Slice withinNode(Slice own) {
      if (levels.size() == 1) {
        return own;
      }
      if (leaders == 1) {
        Slice sum = levels.index() == 0 ? builder.scratch(own.units()) : null;
        levels.reduceWithin(0, own, sum);
        return sum;
      }
      long[] lengths = new long[levels.size()];
      for (int leader = 0; leader < leaders; leader++) {
        for (long units : lengthsByNode(leader)) {
          lengths[leader] += units;
        }
      }
      Slice sum = builder.scratch(lengths[levels.index()]);
      levels.within(SCATTERED, 0, own.units(), new Counts(lengths), own, sum);
      return sum;
    }

    /** Returns how many units the ranks have, node by node, that a leader serves. */
    private long[] lengthsByNode(int leader) {
      long[] lengths = new long[nodes.nodes()];
      for (int node = 0; node < lengths.length; node++) {
        for (int place = nodes.start(node) + leader; place < nodes.start(node + 1); place += leaders) {
          lengths[node] += shape.length(nodes.rank(place));
        }
      }
      return lengths;
    }

    private void handOut(Slice mine, Slice result) {
      long at = result.units();
      for (int i = levels.index() + leaders; i < levels.size(); i += leaders) {
        int rank = nodes.rank(nodes.start(levels.node()) + i);
        builder.send(rank, mine.part(at, shape.length(rank)));
        at += shape.length(rank);
      }
      builder.copy(mine.part(0, result.units()), result);
    }
  }

  @Override
  String within(CallShape shape) {
    return leaders(shape) == 1 ? "binomial" : SCATTERED.name();
  }

  @Override
  String between(CallShape shape) {
    return SCATTERED.name();
  }
}
