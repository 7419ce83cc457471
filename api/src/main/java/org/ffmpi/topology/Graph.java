// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The traffic between ranks, for {@link Placement}. Undirected, and without messages of a rank to itself. Immutable.
 */
public final class Graph {
  /** Index of each rank's first neighbour; one entry more than ranks. */
  private final int[] begin;
  private final int[] neighbor;
  private final long[] weight;

  private Graph(int[] begin, int[] neighbor, long[] weight) {
    this.begin = begin;
    this.neighbor = neighbor;
    this.weight = weight;
  }

  /** Collects edges, each given once, in any order. */
  public static final class Builder {
    private final int size;
    private int[] from = new int[16];
    private int[] to = new int[16];
    private long[] weights = new long[16];
    private int edges;

    /**
     * Begins a graph without edges.
     *
     * @param size number of ranks
     */
    public Builder(int size) {
      this.size = size;
    }

    /**
     * Adds an edge.
     *
     * @param a a rank
     * @param b another one; edges of a rank with itself are left out
     * @param weightOfEdge how much goes along it, not negative
     */
    public void add(int a, int b, long weightOfEdge) {
      if (a == b) {
        return;
      }
      if (edges == from.length) {
        from = Arrays.copyOf(from, 2 * edges);
        to = Arrays.copyOf(to, 2 * edges);
        weights = Arrays.copyOf(weights, 2 * edges);
      }
      from[edges] = a;
      to[edges] = b;
      weights[edges++] = weightOfEdge;
    }

    /**
     * Makes the graph.
     *
     * @return the graph of all edges added
     */
    public Graph build() {
      int[] begin = new int[size + 1];
      for (int e = 0; e < edges; e++) {
        begin[from[e] + 1]++;
        begin[to[e] + 1]++;
      }
      for (int rank = 0; rank < size; rank++) {
        begin[rank + 1] += begin[rank];
      }
      int[] next = begin.clone();
      int[] neighbor = new int[2 * edges];
      long[] weight = new long[2 * edges];
      for (int e = 0; e < edges; e++) {
        int there = next[from[e]]++;
        neighbor[there] = to[e];
        weight[there] = weights[e];
        int back = next[to[e]]++;
        neighbor[back] = from[e];
        weight[back] = weights[e];
      }
      return new Graph(begin, neighbor, weight);
    }
  }

  /**
   * Checks the arguments of {@code MPI_Graph_create}.
   *
   * @param index where the edges of each node end
   * @param edges the neighbours of all nodes
   * @param most how many nodes there may be
   * @throws MpiException ERR_TOPOLOGY when they make no graph of at most so many nodes, ERR_RANK when an edge leads
   *     nowhere
   */
  public static void check(int[] index, int[] edges, int most) {
    if (index == null || edges == null) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, index == null ? "index" : "edges", null, "an array, which may be empty");
    }
    if (index.length > most) {
      throw MpiException.argument(
          ErrorClass.ERR_TOPOLOGY, "index.length", index.length, "at most " + most + " nodes, one for each rank");
    }
    int before = 0;
    for (int i = 0; i < index.length; i++) {
      if (index[i] < before || index[i] > edges.length) {
        throw MpiException.argument(
            ErrorClass.ERR_TOPOLOGY, "index[" + i + "]", index[i], before + ".." + edges.length
            + ": how many edges this node and those before it have");
      }
      before = index[i];
    }
    if (before != edges.length) {
      throw MpiException.argument(
          ErrorClass.ERR_TOPOLOGY, "edges.length", edges.length, before + ", the last entry of index");
    }
    for (int i = 0; i < edges.length; i++) {
      if (edges[i] < 0 || edges[i] >= index.length) {
        throw MpiException.argument(
            ErrorClass.ERR_RANK, "edges[" + i + "]", edges[i], "0.." + (index.length - 1) + ", the graph's nodes");
      }
    }
  }

  /**
   * Returns the graph that {@code MPI_Graph_create} describes.
   *
   * @param index checked
   * @param edges checked
   * @return the graph
   */
  public static Graph of(int[] index, int[] edges) {
    Builder graph = new Builder(index.length);
    for (int node = 0, e = 0; node < index.length; node++) {
      for (; e < index[node]; e++) {
        graph.add(node, edges[e], 1);
      }
    }
    return graph.build();
  }

  /**
   * Returns the number of ranks.
   *
   * @return 0 or more
   */
  public int size() {
    return begin.length - 1;
  }

  /** Returns the place of a rank's first edge; the others follow, up to that of the next rank. */
  int begin(int rank) {
    return begin[rank];
  }

  int neighbor(int edge) {
    return neighbor[edge];
  }

  long weight(int edge) {
    return weight[edge];
  }
}
