// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An alltoall in levels, for short blocks. Ranks of a node exchange theirs directly, and give those for another node to
 * their leader, in one message for each node. The leaders exchange one message for each pair of nodes, sort what comes
 * by its receivers, and hand it out. For nodes of consecutive ranks.
 */
final class LeveledAlltoall extends LeveledAlgorithm {
  LeveledAlltoall() {
    super(Collective.ALLTOALL);
  }

  @Override
  public boolean accepts(CallShape shape) {
    return shape.nodes() != null && shape.nodes().isInOrder();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    new Writer(shape, builder).write();
  }

  /** One rank's schedule under construction. */
  private static final class Writer {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final RanksByNode nodes;
    private final int rank;
    private final int node;
    private final int leader;
    private final int size;
    private final long block;
    private final Slice sent;

    Writer(CallShape shape, ScheduleBuilder builder) {
      this.shape = shape;
      this.builder = builder;
      this.nodes = shape.nodes();
      this.rank = shape.rank();
      this.node = nodes.node(rank);
      this.leader = nodes.start(node);
      this.size = nodes.size(node);
      this.block = shape.units();
      this.sent = sent();
    }

    private Slice sent() {
      long all = shape.size() * block;
      if (!shape.inPlace()) {
        return builder.sendBuffer(0, all);
      }
      Slice copy = builder.scratch(all);
      builder.copy(builder.receiveBuffer(0, all), copy);
      return copy;
    }

    void write() {
      if (rank == leader) {
        lead();
      } else {
        for (int i = 1; i < nodes.nodes(); i++) {
          builder.send(leader, of(sent, higher(i)));
        }
        exchangeHere();
        for (int i = 1; i < nodes.nodes(); i++) {
          builder.receive(leader, of(received(), lower(i)));
        }
      }
    }

    private void lead() {
      Slice[] out = new Slice[nodes.nodes()];
      Slice[] in = new Slice[nodes.nodes()];
      for (int i = 1; i < nodes.nodes(); i++) {
        int to = higher(i);
        long part = nodes.size(to) * block;
        out[to] = builder.scratch(size * part);
        for (int j = 1; j < size; j++) {
          builder.receive(leader + j, out[to].part(j * part, part));
        }
        builder.copy(of(sent, to), out[to].part(0, part));
      }
      exchangeHere();
      for (int i = 1; i < nodes.nodes(); i++) {
        builder.send(nodes.start(higher(i)), out[higher(i)]);
      }
      for (int i = 1; i < nodes.nodes(); i++) {
        int from = lower(i);
        in[from] = builder.scratch(size * nodes.size(from) * block);
        builder.receive(nodes.start(from), in[from]);
      }
      for (int i = 1; i < nodes.nodes(); i++) {
        handOut(in[lower(i)], lower(i));
      }
    }

    /** Sorts the blocks of a node by their receivers, and sends each receiver its own. */
    private void handOut(Slice in, int from) {
      int senders = nodes.size(from);
      Slice sorted = builder.scratch(size * senders * block);
      for (int j = 0; j < size; j++) {
        Slice own = j == 0 ? of(received(), from) : sorted.part(j * senders * block, senders * block);
        for (int s = 0; s < senders; s++) {
          builder.copy(in.part((s * size + j) * block, block), own.part(s * block, block));
        }
        if (j > 0) {
          builder.send(leader + j, own);
        }
      }
    }

    /** Exchanges blocks with the other ranks of this node. */
    private void exchangeHere() {
      for (int i = 1; i < size; i++) {
        int to = leader + (rank - leader + i) % size;
        builder.send(to, sent.part(to * block, block));
      }
      for (int i = 1; i < size; i++) {
        int from = leader + Math.floorMod(rank - leader - i, size);
        builder.receive(from, received().part(from * block, block));
      }
      builder.copy(sent.part(rank * block, block), received().part(rank * block, block));
    }

    private Slice received() {
      return builder.receiveBuffer(0, shape.size() * block);
    }

    /** Returns the blocks of a node's ranks. */
    private Slice of(Slice all, int ofNode) {
      return all.part(nodes.start(ofNode) * block, nodes.size(ofNode) * block);
    }

    private int higher(int i) {
      return (node + i) % nodes.nodes();
    }

    private int lower(int i) {
      return Math.floorMod(node - i, nodes.nodes());
    }
  }

  @Override
  String within(CallShape shape) {
    return "linear";
  }

  @Override
  String between(CallShape shape) {
    return "linear";
  }
}
