// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * The place of one rank in a call in levels, while its schedule is written: the ranks of its node, one of which leads
 * them, and the leaders of all nodes. The rank at the top leads its node, the lowest rank each other one.
 *
 * <p>A level is an algorithm that is written among these ranks, with slices that stand for its buffers.
 */
final class Levels {
  /** From this length on a broadcast goes along a chain, in pieces. */
  private static final long LONG = 128 << 10;

  /** Allgathers among so many ranks take one round. */
  private static final int FEW = 8;

  /** The longest block that travels in log2 n rounds. */
  private static final long SHORT_BLOCK = 1 << 10;

  private static final Algorithm BINOMIAL_BCAST = new BinomialBcast();
  private static final Algorithm CHAIN_BCAST = new ChainBcast();
  private static final Algorithm REDUCE = new BinomialReduce();
  private static final Algorithm LINEAR_ALLGATHER = new LinearAllgather(Collective.ALLGATHER);
  private static final Algorithm BRUCK_ALLGATHER = new BruckAllgather();
  private static final Algorithm RING_ALLGATHER = new RingAllgather();

  private final CallShape shape;
  private final ScheduleBuilder builder;
  private final RanksByNode nodes;
  private final int top;
  private final int topNode;
  private final int node;
  private final int index;

  /**
   * Creates the view of one rank.
   *
   * @param top the rank at the top
   */
  Levels(CallShape shape, ScheduleBuilder builder, int top) {
    this.shape = shape;
    this.builder = builder;
    this.nodes = shape.nodes();
    this.top = top;
    this.topNode = nodes.node(top);
    this.node = nodes.node(shape.rank());
    this.index = nodes.index(shape.rank());
  }

  /** Returns the number of this rank's node. */
  int node() {
    return node;
  }

  /** Returns the number of this rank within its node. */
  int index() {
    return index;
  }

  /** Returns how many ranks this node has. */
  int size() {
    return nodes.size(node);
  }

  /** Returns the number of a node's leader within that node. */
  private int lead(int ofNode) {
    return ofNode == topNode ? nodes.index(top) : 0;
  }

  /** Returns the leader of a node. */
  int leader(int ofNode) {
    return nodes.rank(nodes.start(ofNode) + lead(ofNode));
  }

  boolean isLeader() {
    return index == lead(node);
  }

  /** Returns the ranks of this node. */
  int[] here() {
    return ranksOf(node);
  }

  /** Returns the ranks of a node. */
  int[] ranksOf(int ofNode) {
    return IntStream.range(nodes.start(ofNode), nodes.start(ofNode + 1)).map(nodes::rank).toArray();
  }

  private int[] leaders() {
    return IntStream.range(0, nodes.nodes()).map(this::leader).toArray();
  }

  /** Returns the rank of each node that has a number within it, which all nodes must have. */
  private int[] withIndex(int number) {
    return IntStream.range(0, nodes.nodes()).map(n -> nodes.rank(nodes.start(n) + number)).toArray();
  }

  // ---- a tree over both levels

  /** Returns the rank above this one in a tree of binomial trees, or of chains; {@link ReduceTree#NONE} at the top. */
  int parent(boolean chain) {
    int size = size();
    int v = Math.floorMod(index - lead(node), size);
    if (v != 0) {
      return nodes.rank(nodes.start(node) + ((chain ? v - 1 : v & v - 1) + lead(node)) % size);
    }
    int w = Math.floorMod(node - topNode, nodes.nodes());
    return w == 0 ? ReduceTree.NONE : leader(((chain ? w - 1 : w & w - 1) + topNode) % nodes.nodes());
  }

  /** Returns the ranks of this node that are below this one, the nearest first. */
  int[] childrenHere(boolean chain) {
    int size = size();
    int lead = lead(node);
    return children(chain, Math.floorMod(index - lead, size), size,
        number -> nodes.rank(nodes.start(node) + (number + lead) % size));
  }

  /** Returns the leaders that are below this one, the nearest first. */
  int[] childrenElsewhere(boolean chain) {
    if (!isLeader()) {
      return new int[0];
    }
    int count = nodes.nodes();
    return children(chain, Math.floorMod(node - topNode, count), count,
        number -> leader((number + topNode) % count));
  }

  private static int[] children(boolean chain, int v, int size, IntUnaryOperator rank) {
    if (!chain) {
      return Tree.children(v, size, rank);
    }
    return v + 1 < size ? new int[] {rank.applyAsInt(v + 1)} : new int[0];
  }

  static boolean isLong(long bytes) {
    return bytes > LONG;
  }

  // ---- algorithms among some ranks

  /**
   * Writes an algorithm among the ranks of this node.
   *
   * @param root number of its root within the node
   * @param units length of a contribution
   * @param counts lengths of blocks, where they differ; else null
   * @param send what stands for the send buffer; null when the contribution lies in the receive buffer
   * @param receive what stands for the receive buffer; null when this rank needs none
   */
  void within(Algorithm algorithm, int root, long units, Counts counts, Slice send, Slice receive) {
    write(algorithm, here(), index, root, units, counts, send, receive);
  }

  /** Writes an algorithm among the leaders, of whom this rank is one; see {@link #within}. */
  void between(Algorithm algorithm, long units, Counts counts, Slice send, Slice receive) {
    write(algorithm, leaders(), node, 0, units, counts, send, receive);
  }

  /** Writes an algorithm among the ranks that have this one's number within their nodes; see {@link #within}. */
  void amongIndex(Algorithm algorithm, long units, Counts counts, Slice send, Slice receive) {
    write(algorithm, withIndex(index), node, 0, units, counts, send, receive);
  }

  /** Writes an algorithm among the last ranks of all nodes, of whom this rank is one; see {@link #within}. */
  void amongLast(Algorithm algorithm, long units, Slice send, Slice receive) {
    int[] members = IntStream.range(0, nodes.nodes()).map(n -> nodes.rank(nodes.start(n + 1) - 1)).toArray();
    write(algorithm, members, node, 0, units, null, send, receive);
  }

  private void write(
      Algorithm algorithm, int[] members, int self, int root, long units, Counts counts, Slice send, Slice receive) {
    boolean within = send == null;
    CallShape part = shape.among(algorithm.collective(), self, members.length, root, units, counts, within);
    algorithm.build(part, builder.among(
        part, members, within ? Slice.NOTHING : send, receive == null ? Slice.NOTHING : receive));
  }

  /**
   * Writes the reduction of this node's contributions at one rank.
   *
   * @param root its number within the node
   * @param own this rank's contribution
   * @param result where the result goes at that rank; the contribution may lie there
   */
  void reduceWithin(int root, Slice own, Slice result) {
    boolean within = index == root && own.isSame(result);
    within(REDUCE, root, own.units(), null, within ? null : own, index == root ? result : null);
  }

  /** Writes the broadcast of a slice, which lies where it belongs at one rank of this node, to the others. */
  void bcastWithin(int root, Slice what) {
    boolean chain = size() > 2 && isLong(what.units() * shape.unitBytes());
    within(chain ? CHAIN_BCAST : BINOMIAL_BCAST, root, what.units(), null, what, what);
  }

  /** Returns the algorithm by which ranks of one level exchange blocks. */
  static Algorithm allgather(int ranks, long bytes) {
    if (ranks <= FEW) {
      return LINEAR_ALLGATHER;
    }
    return bytes <= SHORT_BLOCK ? BRUCK_ALLGATHER : RING_ALLGATHER;
  }
}
