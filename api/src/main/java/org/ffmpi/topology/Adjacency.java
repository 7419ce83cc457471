// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Arrays;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The neighbours of one node of a directed graph. Arrays are not copied; no code changes them.
 *
 * @param sources nodes whose edges end here
 * @param sourceWeights the weights of these edges, or {@link #UNWEIGHTED}
 * @param destinations nodes that edges from here lead to
 * @param destWeights the weights of these edges, or {@link #UNWEIGHTED} together with {@code sourceWeights}
 */
public record Adjacency(int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights) {
  /** Marks, by its identity, that edges have no weights. */
  public static final int[] UNWEIGHTED = new int[0];

  private static final int HEADER = 3;

  /**
   * Returns whether the edges have weights.
   *
   * @return true when there are arrays of weights, possibly empty ones
   */
  public boolean isWeighted() {
    return sourceWeights != UNWEIGHTED;
  }

  /**
   * Checks and copies the arguments of {@code MPI_Dist_graph_create_adjacent}.
   *
   * @param sources nodes whose edges end here
   * @param sourceWeights their weights, or {@link #UNWEIGHTED}
   * @param destinations nodes that edges from here lead to
   * @param destWeights their weights, or {@link #UNWEIGHTED}
   * @param size number of nodes
   * @return the neighbours
   * @throws MpiException ERR_RANK when there is no such node, ERR_ARG when arrays are null or do not fit each other, or
   *     a weight is negative
   */
  public static Adjacency of(int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, int size) {
    checkRanks("sources", sources, size);
    checkRanks("destinations", destinations, size);
    checkWeights("sourceWeights", sourceWeights, sources.length);
    checkWeights("destWeights", destWeights, destinations.length);
    if ((sourceWeights == UNWEIGHTED) != (destWeights == UNWEIGHTED)) {
      throw new MpiException(
          ErrorClass.ERR_ARG, "sourceWeights, destWeights: one is UNWEIGHTED: allowed are both or none of them");
    }
    return new Adjacency(sources.clone(), copy(sourceWeights), destinations.clone(), copy(destWeights));
  }

  private static int[] copy(int[] weights) {
    return weights == UNWEIGHTED ? weights : weights.clone();
  }

  static void checkRanks(String name, int[] ranks, int size) {
    if (ranks == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, null, "an array of ranks, which may be empty");
    }
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] < 0 || ranks[i] >= size) {
        throw MpiException.argument(ErrorClass.ERR_RANK, name + "[" + i + "]", ranks[i], "0.." + (size - 1));
      }
    }
  }

  static void checkWeights(String name, int[] weights, int edges) {
    if (weights == UNWEIGHTED) {
      return;
    }
    if (weights == null || weights.length != edges) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, weights == null ? name : name + ".length", weights == null ? null : weights.length,
          "arrays with a weight for each of the " + edges + " edges, and UNWEIGHTED");
    }
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 0) {
        throw MpiException.argument(ErrorClass.ERR_ARG, name + "[" + i + "]", weights[i], "0 or more");
      }
    }
  }

  // ---- as numbers, for other ranks

  /**
   * Returns the neighbours as numbers.
   *
   * @return what {@link #decode} understands
   */
  public long[] encode() {
    long[] numbers = new long[HEADER + 2 * sources.length + 2 * destinations.length];
    numbers[0] = isWeighted() ? 1 : 0;
    numbers[1] = sources.length;
    numbers[2] = destinations.length;
    int at = put(numbers, HEADER, sources, sourceWeights);
    put(numbers, at, destinations, destWeights);
    return numbers;
  }

  private int put(long[] numbers, int at, int[] ranks, int[] weights) {
    for (int i = 0; i < ranks.length; i++) {
      numbers[at + 2 * i] = ranks[i];
      numbers[at + 2 * i + 1] = isWeighted() ? weights[i] : 1;
    }
    return at + 2 * ranks.length;
  }

  /**
   * Decodes neighbours from numbers.
   *
   * @param numbers from {@link #encode}
   * @return the neighbours
   */
  public static Adjacency decode(long[] numbers) {
    boolean weighted = numbers[0] == 1;
    int in = (int) numbers[1];
    int out = (int) numbers[2];
    int second = HEADER + 2 * in;
    return new Adjacency(
        every(numbers, HEADER, in), weighted ? every(numbers, HEADER + 1, in) : UNWEIGHTED,
        every(numbers, second, out), weighted ? every(numbers, second + 1, out) : UNWEIGHTED);
  }

  private static int[] every(long[] numbers, int from, int count) {
    int[] result = new int[count];
    for (int i = 0; i < count; i++) {
      result[i] = (int) numbers[from + 2 * i];
    }
    return result;
  }

  // ---- the whole graph

  /**
   * Returns the traffic between nodes.
   *
   * @param all the neighbours of each node
   * @return the graph of all edges, each as its source gives it
   */
  public static Graph graph(Adjacency[] all) {
    Graph.Builder graph = new Graph.Builder(all.length);
    for (int node = 0; node < all.length; node++) {
      int[] to = all[node].destinations;
      for (int i = 0; i < to.length; i++) {
        graph.add(node, to[i], all[node].isWeighted() ? all[node].destWeights[i] : 1);
      }
    }
    return graph.build();
  }

  /**
   * Checks that nodes agree about their edges.
   *
   * @param all the neighbours of each node
   * @return the error in a few words; empty for none
   */
  public static Optional<String> contradiction(Adjacency[] all) {
    for (int node = 0; node < all.length; node++) {
      if (all[node].isWeighted() != all[0].isWeighted()) {
        return Optional.of("rank " + (all[0].isWeighted() ? node : 0) + " gives its edges no weights, rank "
            + (all[0].isWeighted() ? 0 : node) + " does");
      }
    }
    long[][] told = new long[2][];
    for (int node = 0; node < all.length; node++) {
      for (int other = 0; other < all.length; other++) {
        told[0] = weights(all[node].destinations, all[node].destWeights, other, all[node].isWeighted());
        told[1] = weights(all[other].sources, all[other].sourceWeights, node, all[other].isWeighted());
        if (!Arrays.equals(told[0], told[1])) {
          return Optional.of("the edges from rank " + node + " to rank " + other + " have the weights "
              + Arrays.toString(told[0]) + " there and " + Arrays.toString(told[1]) + " here");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the sorted weights of the edges with a node, 1 for those without. */
  private static long[] weights(int[] ranks, int[] weights, int node, boolean weighted) {
    long[] found = new long[ranks.length];
    int n = 0;
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == node) {
        found[n++] = weighted ? weights[i] : 1;
      }
    }
    long[] result = Arrays.copyOf(found, n);
    Arrays.sort(result);
    return result;
  }
}
