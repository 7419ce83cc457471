// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.DistGraphComm.UNWEIGHTED;
import static org.ffmpi.DistGraphComm.WEIGHTS_EMPTY;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.DistGraphComm;
import org.ffmpi.DistGraphComm.Neighbors;
import org.ffmpi.DistGraphComm.NeighborsCount;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Topology;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Communicators with a graph of which each rank knows its neighbours (MPI-4.1 §8.5.4). */
class DistGraphTest {
  private static final int[] NOBODY = {};

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void aRingWithoutWeights(IntraComm world) {
    int n = world.size();
    int[] below = {(world.rank() + n - 1) % n};
    int[] above = {(world.rank() + 1) % n};
    for (boolean reorder : new boolean[] {false, true}) {
      try (DistGraphComm ring = world.distGraphCreateAdjacent(below, above, reorder); DistGraphComm dup = ring.dup()) {
        assertEquals(Comparison.CONGRUENT, ring.compare(world));
        assertEquals(Topology.DIST_GRAPH, ring.topology());
        assertEquals(new NeighborsCount(1, 1, false), ring.neighborsCount());
        Neighbors neighbors = dup.neighbors();
        assertArrayEquals(below, neighbors.sources());
        assertArrayEquals(above, neighbors.destinations());
        assertSame(UNWEIGHTED, neighbors.sourceWeights());
        assertSame(UNWEIGHTED, neighbors.destWeights());
        int[] in = new int[1];
        dup.sendrecv(
            Buf.of(new int[] {dup.rank()}), neighbors.destinations()[0], 0, Buf.of(in), neighbors.sources()[0], 0);
        assertEquals(neighbors.sources()[0], in[0]);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S1-2.5.4-f: only UNWEIGHTED itself means no weights, no other empty array")
  void asGiven(IntraComm world) {
    int last = world.size() - 1;
    boolean first = world.rank() == 0;
    boolean isLast = world.rank() == last;
    // From 0 to the last one twice, with the weights 5 and 3, and from 0 to itself with 1 and 0.
    int[] destinations = first ? new int[] {last, 0, last, 0} : NOBODY;
    int[] destWeights = first ? new int[] {5, 1, 3, 0} : WEIGHTS_EMPTY;
    int[] sources = first ? (isLast ? new int[4] : new int[2]) : isLast ? new int[] {0, 0} : NOBODY;
    int[] sourceWeights =
        first ? (isLast ? new int[] {3, 0, 5, 1} : new int[] {0, 1}) : isLast ? new int[] {3, 5} : new int[0];
    try (DistGraphComm graph =
        world.distGraphCreateAdjacent(sources, sourceWeights, destinations, destWeights, null, false)) {
      assertEquals(new NeighborsCount(sources.length, destinations.length, true), graph.neighborsCount());
      Neighbors neighbors = graph.neighbors();
      assertArrayEquals(sources, neighbors.sources());
      assertArrayEquals(sourceWeights, neighbors.sourceWeights());
      assertArrayEquals(destinations, neighbors.destinations());
      assertArrayEquals(destWeights, neighbors.destWeights());
      assertNotSame(UNWEIGHTED, neighbors.sourceWeights());
      Arrays.fill(neighbors.destinations(), 9); // arrays of the caller's own
      assertArrayEquals(destinations, graph.neighbors().destinations());
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void edgesGivenByAnybody(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    // Rank 0 gives the whole ring, the others one edge each from the next rank to 0.
    int[] sources = me == 0 ? range(n) : new int[] {(me + 1) % n};
    int[] degrees = new int[sources.length];
    Arrays.fill(degrees, 1);
    int[] destinations = me == 0 ? Arrays.stream(range(n)).map(r -> (r + 1) % n).toArray() : new int[] {0};
    int[] weights = new int[destinations.length];
    Arrays.fill(weights, me);
    try (Info info = new Info(); DistGraphComm graph =
        world.distGraphCreate(sources, degrees, destinations, weights, info, false)) {
      List<Integer> to = new ArrayList<>(List.of((me + 1) % n));
      List<Integer> toWeights = new ArrayList<>(List.of(0));
      if (n > 1 && (me + n - 1) % n != 0) {
        to.add(0);
        toWeights.add((me + n - 1) % n);
      }
      Neighbors neighbors = graph.neighbors();
      assertEquals(to, Arrays.stream(neighbors.destinations()).boxed().toList());
      assertEquals(toWeights, Arrays.stream(neighbors.destWeights()).boxed().toList());
      assertEquals((me + n - 1) % n, neighbors.sources()[0]);
      assertEquals(me == 0 ? n : 1, graph.neighborsCount().indegree());
      if (me == 0) {
        int[] others = Arrays.stream(range(n)).skip(1).map(r -> (r + 1) % n).toArray();
        assertArrayEquals(others, Arrays.copyOfRange(neighbors.sources(), 1, n));
        assertArrayEquals(range(n), neighbors.sourceWeights());
      }
    }
  }

  private static int[] range(int n) {
    return IntStream.range(0, n).toArray();
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8}, settings = "ffmpi.check=full")
  void randomGraphsAgainstAModel(IntraComm world) {
    long[] seeds = {Seeds.next()};
    world.bcast(Buf.of(seeds), 0);
    Seeds.run(seeds[0], () -> {
      RandomGenerator random = Seeds.random(seeds[0]);
      for (int round = 0; round < 10; round++) {
        boolean weighted = random.nextBoolean();
        int n = world.size();
        List<List<int[]>> given = new ArrayList<>(); // by the rank that gives it: source, destination, weight
        for (int r = 0; r < n; r++) {
          given.add(new ArrayList<>());
          for (int e = random.nextInt(2 * n + 1); e > 0; e--) {
            given.get(r).add(new int[] {random.nextInt(n), random.nextInt(n), random.nextInt(4)});
          }
        }
        boolean reorder = random.nextBoolean();
        List<int[]> mine = given.get(world.rank());
        int[] ones = new int[mine.size()];
        Arrays.fill(ones, 1);
        int[] weights = weighted ? column(mine, 2) : UNWEIGHTED;
        try (DistGraphComm graph =
            world.distGraphCreate(column(mine, 0), ones, column(mine, 1), weights, null, reorder)) {
          Neighbors neighbors = graph.neighbors();
          List<int[]> all = given.stream().flatMap(List::stream).toList();
          List<int[]> in = all.stream().filter(e -> e[1] == graph.rank()).toList();
          List<int[]> out = all.stream().filter(e -> e[0] == graph.rank()).toList();
          assertArrayEquals(column(in, 0), neighbors.sources());
          assertArrayEquals(column(out, 1), neighbors.destinations());
          assertEquals(weighted, graph.neighborsCount().weighted());
          if (weighted) {
            assertArrayEquals(column(in, 2), neighbors.sourceWeights());
            assertArrayEquals(column(out, 2), neighbors.destWeights());
          }
          try (DistGraphComm same = graph.distGraphCreateAdjacent(
              neighbors.sources(), neighbors.sourceWeights(), neighbors.destinations(), neighbors.destWeights(), null,
              !reorder)) {
            assertEquals(graph.neighborsCount(), same.neighborsCount());
          }
        }
      }
    });
  }

  private static int[] column(List<int[]> rows, int column) {
    return rows.stream().mapToInt(row -> row[column]).toArray();
  }

  @MpiTest(ranks = {1, 2, 4})
  void wrongArguments(IntraComm world) {
    int n = world.size();
    int[] to = {n};
    assertError(ErrorClass.ERR_RANK, () -> world.distGraphCreateAdjacent(to, NOBODY, false), "sources[0] = " + n);
    assertError(
        ErrorClass.ERR_RANK, () -> world.distGraphCreateAdjacent(NOBODY, new int[] {Constants.PROC_NULL}, true));
    assertError(ErrorClass.ERR_ARG, () -> world.distGraphCreateAdjacent(null, NOBODY, false), "sources = null");
    int[] zero = {0};
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreateAdjacent(zero, WEIGHTS_EMPTY, zero, zero, null, false),
        "sourceWeights.length = 0");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreateAdjacent(NOBODY, WEIGHTS_EMPTY, NOBODY, null, null, false),
        "destWeights = null", "UNWEIGHTED");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreateAdjacent(zero, zero, zero, new int[] {-1}, null, false),
        "destWeights[0] = -1");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreateAdjacent(zero, zero, zero, UNWEIGHTED, null, false), "both");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreate(zero, new int[] {2}, zero, UNWEIGHTED, null, false),
        "destinations.length = 1", "2");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreate(zero, new int[] {-1}, NOBODY, UNWEIGHTED, null, false),
        "degrees[0] = -1");
    assertError(
        ErrorClass.ERR_ARG, () -> world.distGraphCreate(zero, NOBODY, NOBODY, UNWEIGHTED, null, false),
        "degrees.length = 0");
    Info freed = new Info();
    freed.close();
    assertError(
        ErrorClass.ERR_INFO, () -> world.distGraphCreate(NOBODY, NOBODY, NOBODY, UNWEIGHTED, freed, false));
    assertError(
        ErrorClass.ERR_INFO,
        () -> world.distGraphCreateAdjacent(NOBODY, UNWEIGHTED, NOBODY, UNWEIGHTED, freed, false));
  }

  @MpiTest(ranks = {2, 3, 4})
  void aWrongArgumentAtOneRankIsAnErrorAtAll(IntraComm world) {
    boolean wrong = world.rank() == 1;
    int[] sources = {wrong ? -1 : 0};
    int[] one = {1};
    assertError(
        wrong ? ErrorClass.ERR_RANK : ErrorClass.ERR_TOPOLOGY,
        () -> world.distGraphCreate(sources, one, one, UNWEIGHTED, null, false), wrong ? "sources[0]" : "rank 1");
    assertError(
        wrong ? ErrorClass.ERR_RANK : ErrorClass.ERR_TOPOLOGY,
        () -> world.distGraphCreateAdjacent(sources, NOBODY, true));
    assertError(
        ErrorClass.ERR_TOPOLOGY,
        () -> world.distGraphCreate(one, one, one, wrong ? one : UNWEIGHTED, null, false), "UNWEIGHTED");
    try (DistGraphComm graph = world.distGraphCreateAdjacent(NOBODY, NOBODY, true)) {
      assertNotNull(graph);
      graph.barrier();
    }
  }

  @MpiTest(ranks = {2, 3}, settings = "ffmpi.check=full")
  void contradictionsAreFoundWhereEverythingIsChecked(IntraComm world) {
    int[] one = {1};
    int[] to = world.rank() == 0 ? one : NOBODY;
    assertError(
        ErrorClass.ERR_TOPOLOGY, () -> world.distGraphCreateAdjacent(NOBODY, to, false), "from rank 0 to rank 1");
    int[] from = world.rank() == 1 ? new int[1] : NOBODY;
    try (DistGraphComm graph = world.distGraphCreateAdjacent(from, to, false)) {
      assertEquals(world.rank() == 0 ? 1 : 0, graph.neighborsCount().outdegree());
    }
    int[] toWeight = world.rank() == 0 ? new int[] {2} : WEIGHTS_EMPTY;
    int[] fromWeight = world.rank() == 1 ? new int[] {3} : WEIGHTS_EMPTY;
    assertError(
        ErrorClass.ERR_TOPOLOGY,
        () -> world.distGraphCreateAdjacent(from, fromWeight, to, toWeight, null, false), "[2] there and [3] here");
  }
}
