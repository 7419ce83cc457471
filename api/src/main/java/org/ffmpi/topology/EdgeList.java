// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Edges of a directed graph, anywhere in it, as one rank gives them to {@code MPI_Dist_graph_create}. Arrays are not
 * copied; no code changes them.
 */
public final class EdgeList {
  private static final int NUMBERS = 3;

  private final boolean weighted;
  /** Source, destination and weight of each edge, one after the other. */
  private final long[] edges;

  private EdgeList(boolean weighted, long[] edges) {
    this.weighted = weighted;
    this.edges = edges;
  }

  /**
   * Checks the arguments of {@code MPI_Dist_graph_create}.
   *
   * @param sources nodes that edges begin at
   * @param degrees how many edges begin at each
   * @param destinations where the edges lead, source by source
   * @param weights their weights, or {@link Adjacency#UNWEIGHTED}
   * @param size number of nodes
   * @return the edges
   * @throws MpiException ERR_RANK when there is no such node, ERR_ARG when arrays are null or do not fit each other, or
   *     a degree or a weight is negative
   */
  public static EdgeList of(int[] sources, int[] degrees, int[] destinations, int[] weights, int size) {
    Adjacency.checkRanks("sources", sources, size);
    Adjacency.checkRanks("destinations", destinations, size);
    if (degrees == null || degrees.length != sources.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, degrees == null ? "degrees" : "degrees.length", degrees == null ? null : degrees.length,
          "arrays with an entry for each of the " + sources.length + " sources");
    }
    long sum = 0;
    for (int i = 0; i < degrees.length; i++) {
      if (degrees[i] < 0) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "degrees[" + i + "]", degrees[i], "0 or more");
      }
      sum += degrees[i];
    }
    if (sum != destinations.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "destinations.length", destinations.length, sum + ", the sum of degrees");
    }
    Adjacency.checkWeights("weights", weights, destinations.length);
    boolean weighted = weights != Adjacency.UNWEIGHTED;
    long[] edges = new long[NUMBERS * destinations.length];
    for (int i = 0, e = 0; i < sources.length; i++) {
      for (int left = degrees[i]; left > 0; left--, e++) {
        edges[NUMBERS * e] = sources[i];
        edges[NUMBERS * e + 1] = destinations[e];
        edges[NUMBERS * e + 2] = weighted ? weights[e] : 1;
      }
    }
    return new EdgeList(weighted, edges);
  }

  /**
   * Returns the edges as numbers.
   *
   * @return what {@link #decode} understands, at least one number
   */
  public long[] encode() {
    long[] numbers = new long[edges.length + 1];
    numbers[0] = weighted ? 1 : 0;
    System.arraycopy(edges, 0, numbers, 1, edges.length);
    return numbers;
  }

  /**
   * Decodes edges from numbers.
   *
   * @param numbers from {@link #encode}
   * @return the edges
   */
  public static EdgeList decode(long[] numbers) {
    return new EdgeList(numbers[0] == 1, Arrays.copyOfRange(numbers, 1, numbers.length));
  }

  /**
   * Returns whether the edges have weights.
   *
   * @return true when they have, or could have if there were any
   */
  public boolean isWeighted() {
    return weighted;
  }

  /**
   * Collects the edges of all ranks.
   *
   * @param all of each rank; all of them with weights, or none
   * @param size number of nodes
   * @return the neighbours of each node, in the order of the ranks and of the edges of each
   */
  public static Adjacency[] collect(EdgeList[] all, int size) {
    int[] in = new int[size];
    int[] out = new int[size];
    for (EdgeList list : all) {
      for (int e = 0; e < list.edges.length; e += NUMBERS) {
        out[(int) list.edges[e]]++;
        in[(int) list.edges[e + 1]]++;
      }
    }
    boolean weighted = all[0].weighted;
    Adjacency[] nodes = new Adjacency[size];
    for (int node = 0; node < size; node++) {
      nodes[node] = new Adjacency(
          new int[in[node]], weighted ? new int[in[node]] : Adjacency.UNWEIGHTED,
          new int[out[node]], weighted ? new int[out[node]] : Adjacency.UNWEIGHTED);
    }
    int[] nextIn = new int[size];
    int[] nextOut = new int[size];
    for (EdgeList list : all) {
      for (int e = 0; e < list.edges.length; e += NUMBERS) {
        int from = (int) list.edges[e];
        int to = (int) list.edges[e + 1];
        int atSource = nextOut[from]++;
        int atDestination = nextIn[to]++;
        nodes[from].destinations()[atSource] = to;
        nodes[to].sources()[atDestination] = from;
        if (weighted) {
          nodes[from].destWeights()[atSource] = (int) list.edges[e + 2];
          nodes[to].sourceWeights()[atDestination] = (int) list.edges[e + 2];
        }
      }
    }
    return nodes;
  }
}
