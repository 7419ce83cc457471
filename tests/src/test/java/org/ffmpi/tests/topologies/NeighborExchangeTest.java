// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.GraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.topologies.NeighborOracle.Edges;

/**
 * Neighbourhood collectives of random lengths, types and kinds of memory in all forms, on random grids and graphs,
 * against messages from point to point. All ranks draw the same random numbers for what they have in common.
 */
class NeighborExchangeTest {
  private static final int TOPOLOGIES = 5;
  private static final int CALLS = 8;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 5, 8}, timeout = 180)
  void randomTopologies(IntraComm world) {
    Seeds.run(seed, () -> exchange(world, seed));
  }

  @MpiTest(ranks = {1, 2, 4}, settings = "ffmpi.check=full")
  void withEverythingChecked(IntraComm world) {
    Seeds.run(seed, () -> exchange(world, seed));
  }

  /** In processes each rank would draw a seed of its own. */
  @MpiTest(ranks = {3, 4}, processes = true, timeout = 180)
  void inProcesses(IntraComm world) {
    long[] shared = {seed};
    world.bcast(Buf.of(shared), 0);
    Seeds.run(shared[0], () -> exchange(world, shared[0]));
  }

  private static void exchange(IntraComm world, long seed) {
    RandomGenerator common = Seeds.random(seed);
    RandomGenerator own = Seeds.random(seed + 1 + world.rank());
    for (int i = 0; i < TOPOLOGIES; i++) {
      switch (common.nextInt(4)) {
        case 0 -> onGrid(world, common, own);
        case 1 -> onGraph(world, common, own);
        case 2 -> onGraphOfNeighbors(world, common, own);
        default -> onGraphOfEdges(world, common, own);
      }
    }
  }

  private static void calls(NeighborOracle oracle) {
    for (int i = 0; i < CALLS; i++) {
      oracle.exchange();
    }
  }

  private static void onGrid(IntraComm world, RandomGenerator common, RandomGenerator own) {
    int[] dims = new int[common.nextInt(4)];
    boolean[] periods = new boolean[dims.length];
    int places = 1;
    for (int i = 0; i < dims.length; i++) {
      dims[i] = 1 + common.nextInt(world.size() / places);
      periods[i] = common.nextInt(3) > 0;
      places *= dims[i];
    }
    long draws = common.nextLong();
    try (CartComm cart = world.cartCreate(dims, periods, common.nextBoolean())) {
      if (cart == null) {
        return;
      }
      int[] neighbors = new int[2 * dims.length];
      for (int i = 0; i < dims.length; i++) {
        neighbors[2 * i] = cart.shift(i, 1).source();
        neighbors[2 * i + 1] = cart.shift(i, 1).dest();
      }
      int[] tags = IntStream.range(0, neighbors.length).toArray();
      int[] fromOtherSide = IntStream.range(0, neighbors.length).map(i -> i ^ 1).toArray();
      calls(new NeighborOracle(
          cart, new Edges(neighbors, fromOtherSide, neighbors, tags), Seeds.random(draws), own));
    }
  }

  /** Edges in both directions, some of them several times, in another order at each rank. */
  private static void onGraph(IntraComm world, RandomGenerator common, RandomGenerator own) {
    int nodes = 1 + common.nextInt(world.size());
    List<List<Integer>> lists = lists(nodes);
    for (int i = common.nextInt(3 * nodes); i > 0; i--) {
      int from = common.nextInt(nodes);
      int to = common.nextInt(nodes);
      lists.get(from).add(to);
      if (from != to) {
        lists.get(to).add(from);
      }
    }
    List<Integer> edges = new ArrayList<>();
    int[] index = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      Collections.shuffle(lists.get(node), Random.from(common));
      edges.addAll(lists.get(node));
      index[node] = edges.size();
    }
    long draws = common.nextLong();
    boolean isDuplicate = common.nextBoolean();
    try (GraphComm graph = world.graphCreate(index, ints(edges), false);
        GraphComm duplicate = graph == null ? null : graph.dup()) {
      if (graph != null) {
        int[] neighbors = graph.neighbors(graph.rank());
        calls(new NeighborOracle(
            isDuplicate ? duplicate : graph, Edges.of(neighbors, neighbors), Seeds.random(draws), own));
      }
    }
  }

  private static void onGraphOfNeighbors(IntraComm world, RandomGenerator common, RandomGenerator own) {
    int nodes = world.size();
    List<List<Integer>> sources = lists(nodes);
    List<List<Integer>> destinations = lists(nodes);
    for (int i = common.nextInt(3 * nodes); i > 0; i--) {
      int from = common.nextInt(nodes);
      int to = common.nextInt(nodes);
      destinations.get(from).add(to);
      sources.get(to).add(from);
    }
    List<Integer> in = sources.get(world.rank());
    List<Integer> out = destinations.get(world.rank());
    Collections.shuffle(in, Random.from(own));
    Collections.shuffle(out, Random.from(own));
    try (DistGraphComm graph = world.distGraphCreateAdjacent(ints(in), ints(out), false)) {
      calls(new NeighborOracle(
          graph, Edges.of(ints(in), ints(out)), Seeds.random(common.nextLong()), own));
    }
  }

  private static void onGraphOfEdges(IntraComm world, RandomGenerator common, RandomGenerator own) {
    int nodes = world.size();
    int[] sources = own.ints(own.nextInt(3), 0, nodes).toArray();
    int[] degrees = own.ints(sources.length, 0, 3).toArray();
    int[] destinations = own.ints(IntStream.of(degrees).sum(), 0, nodes).toArray();
    try (DistGraphComm graph = world.distGraphCreate(
        sources, degrees, destinations, DistGraphComm.UNWEIGHTED, null, common.nextBoolean())) {
      DistGraphComm.Neighbors neighbors = graph.neighbors();
      calls(new NeighborOracle(graph, Edges.of(neighbors.sources(), neighbors.destinations()),
          Seeds.random(common.nextLong()), own));
    }
  }

  /** The least grids: rings of one and two places, where both neighbours are the same rank. */
  @MpiTest(ranks = {1, 2, 4})
  void shortRings(IntraComm world) {
    int[] dims = world.size() == 4 ? new int[] {2, 1, 2} : new int[] {1, world.size()};
    boolean[] rings = new boolean[dims.length];
    Arrays.fill(rings, true);
    try (CartComm cart = world.cartCreate(dims, rings, false)) {
      int[] out = IntStream.range(0, 2 * dims.length).map(i -> 100 * cart.rank() + i).toArray();
      int[] in = new int[out.length];
      cart.neighborAlltoall(Buf.of(out), Buf.of(in));
      for (int i = 0; i < in.length; i++) {
        CartComm.Shift shift = cart.shift(i / 2, 1);
        int from = i % 2 == 0 ? shift.source() : shift.dest();
        assertEquals(100 * from + (i ^ 1), in[i]);
      }
    }
  }

  /** What lies in the blocks of neighbours that are not there stays as it is, and is not sent to anybody. */
  @MpiTest(ranks = {1, 2, 3})
  void endsOfALine(IntraComm world) {
    try (CartComm line = world.cartCreate(new int[] {world.size()}, new boolean[] {false}, false)) {
      int rank = line.rank();
      int below = line.shift(0, 1).source();
      int above = line.shift(0, 1).dest();
      int[] in = {-1, -2};
      line.neighborAllgather(Buf.of(new int[] {rank}), Buf.of(in));
      assertArrayEquals(
          new int[] {below == PROC_NULL ? -1 : below, above == PROC_NULL ? -2 : above}, in);
    }
  }

  private static List<List<Integer>> lists(int nodes) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
