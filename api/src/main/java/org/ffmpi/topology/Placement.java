// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Maps processes to ranks of a topology, so that ranks that communicate share caches. A pure function of its arguments,
 * so all ranks compute the same.
 *
 * <p>Only kinds of hardware count that bind every process to one instance and distinguish processes. Where ranks are
 * not bound to cores, or all cores share everything alike, the order stays unchanged, as it does when no order of less
 * cost is found. Cost is the sum over all edges of the weight times the distance, and the distance doubles with each
 * level that two processes do not share.
 */
public final class Placement {
  /** Above this many ranks orders are not refined by exchanging pairs, whose time grows with their square. */
  private static final int MOST_REFINED = 512;

  private static final int PASSES = 4;

  private final Graph graph;
  private final int size;
  /** The instance of each process at each level that counts, from the largest instances to the smallest. */
  private final long[][] levels;

  private Placement(Graph graph, long[][] levels) {
    this.graph = graph;
    this.size = graph.size();
    this.levels = levels;
  }

  /**
   * Chooses an order.
   *
   * @param places of each process, its {@linkplain Machine#place place}; as many as the graph has ranks
   * @param graph how much the ranks talk to each other
   * @param grid the grid that the graph comes from, or null
   * @return for each rank the process that becomes it
   */
  public static int[] order(long[][] places, Graph graph, Grid grid) {
    int[] identity = IntStream.range(0, graph.size()).toArray();
    Placement placement = new Placement(graph, levels(places));
    if (placement.levels.length == 0) {
      return identity;
    }
    int[] best = identity;
    long least = placement.cost(identity);
    List<int[]> candidates = new ArrayList<>();
    if (grid != null) {
      placement.blocks(grid).ifPresent(candidates::add);
    }
    candidates.add(placement.grown());
    candidates.add(identity.clone());
    for (int[] candidate : candidates) {
      placement.refine(candidate);
      long cost = placement.cost(candidate);
      if (cost < least) {
        least = cost;
        best = candidate;
      }
    }
    return best;
  }

  /**
   * Returns the cost of an order.
   *
   * @param places as in {@link #order}
   * @param graph as in {@link #order}
   * @param order for each rank the process that becomes it
   * @return the cost; 0 when the places do not differ
   */
  public static long cost(long[][] places, Graph graph, int[] order) {
    return new Placement(graph, levels(places)).cost(order);
  }

  /** Returns the levels at which every process has one instance and not all the same, each kind of split once. */
  private static long[][] levels(long[][] places) {
    List<long[]> levels = new ArrayList<>();
    for (int level = 0; places.length > 0 && level < places[0].length; level++) {
      int l = level;
      long[] instances = Arrays.stream(places).mapToLong(place -> place[l]).toArray();
      boolean known = Arrays.stream(instances).noneMatch(instance -> instance == Machine.NONE);
      if (known && distinct(instances) > 1) {
        levels.add(instances);
      }
    }
    levels.sort(Comparator.comparingLong(Placement::distinct)); // stable: larger kinds first
    List<long[]> different = new ArrayList<>();
    for (long[] level : levels) {
      if (different.stream().noneMatch(other -> splitsAlike(other, level))) {
        different.add(level);
      }
    }
    return different.toArray(long[][]::new);
  }

  private static long distinct(long[] instances) {
    return Arrays.stream(instances).distinct().count();
  }

  private static boolean splitsAlike(long[] a, long[] b) {
    Map<Long, Long> names = new LinkedHashMap<>();
    for (int i = 0; i < a.length; i++) {
      Long name = names.putIfAbsent(a[i], b[i]);
      if (name != null && name != b[i]) {
        return false;
      }
    }
    return distinct(a) == distinct(b);
  }

  /** Returns how far two processes are apart: 0 where they share all, twice as much for each larger level. */
  private long distance(int process, int other) {
    for (int level = 0; level < levels.length; level++) {
      if (levels[level][process] != levels[level][other]) {
        return 1L << (levels.length - level - 1);
      }
    }
    return 0;
  }

  private long cost(int[] order) {
    long cost = 0;
    for (int rank = 0; rank < size; rank++) {
      cost += costOf(rank, order);
    }
    return cost / 2; // each edge was seen from both ends
  }

  private long costOf(int rank, int[] order) {
    long cost = 0;
    for (int e = graph.begin(rank); e < graph.begin(rank + 1); e++) {
      cost += graph.weight(e) * distance(order[rank], order[graph.neighbor(e)]);
    }
    return cost;
  }

  /** Exchanges pairs as long as that reduces the cost, for some passes. */
  private void refine(int[] order) {
    boolean better = size <= MOST_REFINED;
    for (int pass = 0; pass < PASSES && better; pass++) {
      better = false;
      for (int a = 0; a < size; a++) {
        for (int b = a + 1; b < size; b++) {
          if (distance(order[a], order[b]) > 0) {
            long before = costOf(a, order) + costOf(b, order);
            swap(order, a, b);
            if (costOf(a, order) + costOf(b, order) < before) {
              better = true;
            } else {
              swap(order, a, b);
            }
          }
        }
      }
    }
  }

  private static void swap(int[] order, int a, int b) {
    int process = order[a];
    order[a] = order[b];
    order[b] = process;
  }

  /** Groups processes by their instances at a level, in the order of the lowest of each group. */
  private List<int[]> groups(int level, int[] processes) {
    Map<Long, List<Integer>> groups = new LinkedHashMap<>();
    for (int process : processes) {
      groups.computeIfAbsent(levels[level][process], instance -> new ArrayList<>()).add(process);
    }
    return groups.values().stream().map(group -> group.stream().mapToInt(p -> p).toArray()).toList();
  }

  // ---- any graph: each instance takes ranks that hang together

  private int[] grown() {
    int[] order = new int[size];
    int[] all = IntStream.range(0, size).toArray();
    assign(0, all, all, order);
    return order;
  }

  private void assign(int level, int[] processes, int[] ranks, int[] order) {
    if (level == levels.length) {
      for (int i = 0; i < ranks.length; i++) {
        order[ranks[i]] = processes[i];
      }
      return;
    }
    boolean[] free = new boolean[size];
    for (int rank : ranks) {
      free[rank] = true;
    }
    for (int[] group : groups(level, processes)) {
      assign(level + 1, group, grow(group.length, ranks, free), order);
    }
  }

  /**
   * Selects a number of free ranks: one with few free neighbours, then always the one with most traffic to those
   * selected.
   */
  private int[] grow(int count, int[] ranks, boolean[] free) {
    int[] taken = new int[count];
    long[] inside = new long[size];
    int[] steps = new int[size];
    Arrays.fill(steps, Integer.MAX_VALUE);
    for (int n = 0; n < count; n++) {
      int next = -1;
      for (int rank : ranks) {
        if (free[rank] && (next < 0 || isBetter(rank, next, inside, steps, free))) {
          next = rank;
        }
      }
      free[next] = false;
      taken[n] = next;
      steps[next] = steps[next] == Integer.MAX_VALUE ? 0 : steps[next];
      for (int e = graph.begin(next); e < graph.begin(next + 1); e++) {
        int neighbor = graph.neighbor(e);
        inside[neighbor] += graph.weight(e);
        steps[neighbor] = Math.min(steps[neighbor], steps[next] + 1);
      }
    }
    Arrays.sort(taken);
    return taken;
  }

  /**
   * Returns whether a rank has more traffic to those selected; then is nearer to the first, so that groups are round;
   * then has less traffic to the rest.
   */
  private boolean isBetter(int rank, int other, long[] inside, int[] steps, boolean[] free) {
    if (inside[rank] != inside[other]) {
      return inside[rank] > inside[other];
    }
    if (steps[rank] != steps[other]) {
      return steps[rank] < steps[other];
    }
    return outside(rank, free) < outside(other, free);
  }

  private long outside(int rank, boolean[] free) {
    long weight = 0;
    for (int e = graph.begin(rank); e < graph.begin(rank + 1); e++) {
      weight += free[graph.neighbor(e)] ? graph.weight(e) : 0;
    }
    return weight;
  }

  // ---- grids: each instance takes a block

  /** Cuts the grid into equal blocks, level by level; empty when the machine or the grid is not that even. */
  private Optional<int[]> blocks(Grid grid) {
    int[] rest = grid.dims();
    int[][] cuts = new int[levels.length][];
    List<int[]> groups = List.of(IntStream.range(0, size).toArray());
    for (int level = 0; level < levels.length; level++) {
      List<int[]> finer = new ArrayList<>();
      int parts = 0;
      for (int[] group : groups) {
        List<int[]> split = groups(level, group);
        parts = parts == 0 ? split.size() : parts;
        if (split.size() != parts) {
          return Optional.empty();
        }
        finer.addAll(split);
      }
      int each = finer.getFirst().length;
      cuts[level] = finer.stream().allMatch(group -> group.length == each) ? new Cut(grid, rest, parts).best() : null;
      if (cuts[level] == null) {
        return Optional.empty();
      }
      for (int i = 0; i < rest.length; i++) {
        rest[i] /= cuts[level][i];
      }
      groups = finer;
    }
    int[] processes = groups.stream().flatMapToInt(Arrays::stream).toArray();
    Integer[] ranks = IntStream.range(0, size).boxed().toArray(Integer[]::new);
    Arrays.sort(ranks, Comparator.comparing(rank -> blockPath(grid, cuts, rank), Arrays::compare));
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[ranks[i]] = processes[i];
    }
    return Optional.of(order);
  }

  /** Returns the coordinates of the blocks that a rank is in, from the largest to the rank itself. */
  private static int[] blockPath(Grid grid, int[][] cuts, int rank) {
    int[] coords = grid.coords(rank);
    int[] block = grid.dims();
    int[] path = new int[(cuts.length + 1) * coords.length];
    int next = 0;
    for (int[] cut : cuts) {
      for (int i = 0; i < coords.length; i++) {
        block[i] /= cut[i];
        path[next++] = coords[i] / block[i];
        coords[i] %= block[i];
      }
    }
    System.arraycopy(coords, 0, path, next, coords.length);
    return path;
  }

  /** The search for how to cut a block into so many equal ones with the least surface between them. */
  private static final class Cut {
    private final Grid grid;
    private final int[] block;
    private final int[] current;
    private final int parts;
    private int[] best;
    private long leastSurface = Long.MAX_VALUE;

    Cut(Grid grid, int[] block, int parts) {
      this.grid = grid;
      this.block = block;
      this.parts = parts;
      this.current = new int[block.length];
    }

    /** Returns the number of parts along each dimension, or null when there is no such cut. */
    int[] best() {
      search(0, parts);
      return best;
    }

    private void search(int dimension, int rest) {
      if (dimension == block.length) {
        long surface = surface();
        if (rest == 1 && surface < leastSurface) {
          leastSurface = surface;
          best = current.clone();
        }
        return;
      }
      for (int cut = 1; cut <= Math.min(rest, block[dimension]); cut++) {
        if (rest % cut == 0 && block[dimension] % cut == 0) {
          current[dimension] = cut;
          search(dimension + 1, rest / cut);
        }
      }
    }

    private long surface() {
      long volume = 1;
      for (int length : block) {
        volume *= length;
      }
      long surface = 0;
      boolean[] periods = grid.periods();
      int[] dims = grid.dims();
      for (int i = 0; i < block.length; i++) {
        boolean ring = periods[i] && block[i] == dims[i] && current[i] > 1;
        surface += volume / block[i] * (current[i] - (ring ? 0 : 1));
      }
      return surface;
    }
  }
}
