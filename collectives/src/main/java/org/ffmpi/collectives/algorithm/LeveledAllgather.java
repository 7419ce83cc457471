// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allgather in levels. Short blocks are gathered at the leader of each node; the leaders exchange what they have,
 * and each broadcasts the whole within its node. Long blocks, and blocks whose lengths only their ranks know, are
 * messages of their own: in each node as many ranks as the smallest node has send them to the other nodes, and
 * distribute those that come from there.
 */
final class LeveledAllgather extends LeveledAlgorithm {
  /** The longest block that is worth being packed with others, to be one message. */
  private static final long SHORT = 4 << 10;

  LeveledAllgather(Collective collective) {
    super(collective);
  }

  @Override
  int leaders(CallShape shape) {
    return isPacked(shape) ? 1 : shape.nodes().fewest();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    if (isPacked(shape)) {
      packed(shape, builder);
    } else {
      new Blocks(shape, builder, leaders(shape)).write();
    }
  }

  private static boolean isPacked(CallShape shape) {
    return !shape.collective().isOfBlocks() && shape.bytes() <= SHORT;
  }

  private static void packed(CallShape shape, ScheduleBuilder builder) {
    long block = shape.units();
    RanksByNode nodes = shape.nodes();
    Levels levels = new Levels(shape, builder, 0);
    Slice all = nodes.isInOrder() ? builder.receiveBuffer(0, shape.size() * block)
        : builder.scratch(shape.size() * block);
    Slice own = shape.inPlace() ? builder.receiveBuffer(shape.rank() * block, block) : builder.sendBuffer(0, block);
    if (levels.isLeader()) {
      for (int rank : levels.here()) {
        if (rank != shape.rank()) {
          builder.receive(rank, all.part(nodes.place(rank) * block, block));
        }
      }
      builder.copy(own, all.part(nodes.place(shape.rank()) * block, block));
      levels.between(between(nodes, block * shape.unitBytes()), shape.size() * block / nodes.nodes(),
          lengths(nodes, block), null, all);
    } else {
      builder.send(levels.leader(levels.node()), own);
    }
    levels.bcastWithin(0, all);
    for (int place = 0; place < shape.size() && !nodes.isInOrder(); place++) {
      builder.copy(all.part(place * block, block), builder.receiveBuffer(nodes.rank(place) * block, block));
    }
  }

  private static Counts lengths(RanksByNode nodes, long block) {
    long[] lengths = new long[nodes.nodes()];
    for (int node = 0; node < lengths.length; node++) {
      lengths[node] = nodes.size(node) * block;
    }
    return new Counts(lengths);
  }

  private static Algorithm between(RanksByNode nodes, long blockBytes) {
    return Levels.allgather(nodes.nodes(), nodes.most() * blockBytes);
  }

  /** One rank's schedule under construction, where each block is a message. */
  private static final class Blocks {
    private final CallShape shape;
    private final ScheduleBuilder builder;
    private final RanksByNode nodes;
    private final int leaders;
    private final int node;
    private final int index;

    Blocks(CallShape shape, ScheduleBuilder builder, int leaders) {
      this.shape = shape;
      this.builder = builder;
      this.nodes = shape.nodes();
      this.leaders = leaders;
      this.node = nodes.node(shape.rank());
      this.index = nodes.index(shape.rank());
    }

    void write() {
      long units = shape.units();
      Slice home = block(shape.rank());
      Slice own = shape.inPlace() ? home : builder.sendBuffer(0, units);
      if (index < leaders) {
        passOn(own);
      } else {
        builder.send(nodes.rank(nodes.start(node) + index % leaders), own);
      }
      receiveAll();
      if (!shape.inPlace()) {
        builder.copy(own, home);
      }
      if (index < leaders) {
        for (int at = index + leaders; at < nodes.size(node); at += leaders) {
          passOn(block(nodes.rank(nodes.start(node) + at)), at);
        }
        for (int i = 1; i < nodes.nodes(); i++) {
          handOut(lower(i));
        }
      }
    }

    /** Starts all receives, in the order in which the messages of each rank are sent. */
    private void receiveAll() {
      if (index < leaders) {
        for (int at = index + leaders; at < nodes.size(node); at += leaders) {
          int rank = nodes.rank(nodes.start(node) + at);
          builder.receive(rank, block(rank));
        }
        for (int i = 1; i < nodes.nodes(); i++) {
          receiveFrom(nodes.rank(nodes.start(lower(i)) + index), lower(i), index);
        }
      }
      for (int i = 0; i < nodes.nodes(); i++) {
        for (int leader = 0; leader < leaders; leader++) {
          if (leader != index) {
            receiveFrom(nodes.rank(nodes.start(node) + leader), lower(i), leader);
          }
        }
      }
    }

    /** Receives what the leaders with one number have of a node. */
    private void receiveFrom(int from, int ofNode, int leader) {
      for (int at = leader; at < nodes.size(ofNode); at += leaders) {
        int rank = nodes.rank(nodes.start(ofNode) + at);
        if (rank != shape.rank()) {
          builder.receive(from, block(rank));
        }
      }
    }

    private void passOn(Slice own) {
      passOn(own, index);
    }

    /** Sends the block of a rank of this node to all that it has to reach. */
    private void passOn(Slice what, int at) {
      for (int i = 1; i < nodes.nodes(); i++) {
        builder.send(nodes.rank(nodes.start((node + i) % nodes.nodes()) + index), what);
      }
      sendHere(what, at);
    }

    /** Sends blocks of another node to the other ranks of this one. */
    private void handOut(int ofNode) {
      for (int at = index; at < nodes.size(ofNode); at += leaders) {
        sendHere(block(nodes.rank(nodes.start(ofNode) + at)), -1);
      }
    }

    private void sendHere(Slice what, int except) {
      for (int i = 1; i < nodes.size(node); i++) {
        int to = (index + i) % nodes.size(node);
        if (to != except) {
          builder.send(nodes.rank(nodes.start(node) + to), what);
        }
      }
    }

    /** Returns the node that is so many before this one: its messages come in that order. */
    private int lower(int i) {
      return Math.floorMod(node - i, nodes.nodes());
    }

    private Slice block(int rank) {
      return builder.receiveBuffer(rank * shape.units(), shape.units());
    }
  }

  @Override
  String within(CallShape shape) {
    return isPacked(shape) ? "linear and binomial" : "linear";
  }

  @Override
  String between(CallShape shape) {
    return isPacked(shape) ? between(shape.nodes(), shape.bytes()).name() : "linear";
  }
}
