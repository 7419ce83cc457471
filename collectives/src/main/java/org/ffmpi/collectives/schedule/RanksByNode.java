// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * The distribution of a communicator's ranks over nodes: the ranks of each node, in their order. Nodes are numbered by
 * their lowest ranks. A communicator has one such object for all its calls. Immutable.
 *
 * <p>Where each node has consecutive ranks, as launchers distribute them by default, only the nodes
 * take memory, not the ranks.
 */
public final class RanksByNode {
  /** The index of each node's first rank in the order of nodes; at the end, the number of ranks. */
  private final int[] starts;

  /** The ranks node by node, and for each rank where it is among them; null where that is the order of ranks. */
  private final int[] order;

  private final int[] places;

  private RanksByNode(int[] starts, int[] order, int[] places) {
    this.starts = starts;
    this.order = order;
    this.places = places;
  }

  /**
   * Finds out where ranks are.
   *
   * @param size number of ranks
   * @param nodeOf returns any number that stands for a rank's node
   * @return null where levels would change nothing: all ranks are on one node, or each is alone on its own
   */
  public static RanksByNode of(int size, IntUnaryOperator nodeOf) {
    int first = nodeOf.applyAsInt(0);
    int together = 1;
    while (together < size && nodeOf.applyAsInt(together) == first) {
      together++;
    }
    if (together == size) {
      return null;
    }
    Map<Integer, Integer> numbers = new HashMap<>();
    int[] numberOf = new int[size];
    int[] counts = new int[size];
    boolean ascends = true;
    for (int rank = 0; rank < size; rank++) {
      int next = numbers.size();
      Integer known = numbers.putIfAbsent(nodeOf.applyAsInt(rank), next);
      numberOf[rank] = known == null ? next : known;
      counts[numberOf[rank]]++;
      ascends &= numberOf[rank] >= numberOf[Math.max(0, rank - 1)];
    }
    int nodes = numbers.size();
    if (nodes == size) {
      return null;
    }
    int[] starts = new int[nodes + 1];
    for (int node = 0; node < nodes; node++) {
      starts[node + 1] = starts[node] + counts[node];
    }
    if (ascends) {
      return new RanksByNode(starts, null, null);
    }
    int[] next = starts.clone();
    int[] order = new int[size];
    int[] places = new int[size];
    for (int rank = 0; rank < size; rank++) {
      places[rank] = next[numberOf[rank]]++;
      order[places[rank]] = rank;
    }
    return new RanksByNode(starts, order, places);
  }

  /** Returns the number of nodes, 2 at least. */
  public int nodes() {
    return starts.length - 1;
  }

  /** Returns whether each node has consecutive ranks. */
  public boolean isInOrder() {
    return order == null;
  }

  /** Returns where a rank is when ranks are counted node by node. */
  public int place(int rank) {
    return places == null ? rank : places[rank];
  }

  /** Returns the rank that {@link #place} counts so. */
  public int rank(int place) {
    return order == null ? place : order[place];
  }

  /** Returns where a node's ranks begin when ranks are counted node by node; for the number of nodes, all ranks. */
  public int start(int node) {
    return starts[node];
  }

  /** Returns the node of a rank. */
  public int node(int rank) {
    int place = place(rank);
    int low = 0;
    int high = nodes();
    while (high - low > 1) {
      int middle = low + high >>> 1;
      if (starts[middle] <= place) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns how many ranks a node has. */
  public int size(int node) {
    return starts[node + 1] - starts[node];
  }

  /** Returns the number of a rank within its node. */
  public int index(int rank) {
    return place(rank) - starts[node(rank)];
  }

  /** Returns how many ranks the smallest node has. */
  public int fewest() {
    int fewest = Integer.MAX_VALUE;
    for (int node = 0; node < nodes(); node++) {
      fewest = Math.min(fewest, size(node));
    }
    return fewest;
  }

  /** Returns how many ranks the largest node has. */
  public int most() {
    int most = 0;
    for (int node = 0; node < nodes(); node++) {
      most = Math.max(most, size(node));
    }
    return most;
  }
}
