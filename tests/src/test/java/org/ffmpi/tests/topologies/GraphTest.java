// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.GraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Topology;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;

/** Communicators with a graph that all ranks know (MPI-4.1 §8.5.3). */
class GraphTest {
  private static final int[] INDEX = {2, 3, 4, 6};
  private static final int[] EDGES = {1, 3, 0, 3, 0, 2};

  @MpiTest(ranks = {4, 5, 8})
  void theExampleOfTheStandard(IntraComm world) {
    for (boolean reorder : new boolean[] {false, true}) {
      GraphComm graph = world.graphCreate(INDEX, EDGES, reorder);
      if (world.rank() >= 4) {
        assertNull(graph);
        continue;
      }
      assertEquals(Topology.GRAPH, graph.topology());
      assertEquals(4, graph.nnodes());
      assertEquals(6, graph.nedges());
      assertArrayEquals(INDEX, graph.index());
      assertArrayEquals(EDGES, graph.edges());
      assertArrayEquals(new int[] {1, 3}, graph.neighbors(0));
      assertArrayEquals(new int[] {0}, graph.neighbors(1));
      assertArrayEquals(new int[] {3}, graph.neighbors(2));
      assertArrayEquals(new int[] {0, 2}, graph.neighbors(3));
      assertEquals(2, graph.neighborsCount(3));
      exchange(graph);
      try (GraphComm dup = graph.dup()) {
        assertArrayEquals(EDGES, dup.edges());
        exchange(dup);
      }
      graph.close();
      assertError(ErrorClass.ERR_COMM, () -> graph.neighbors(0));
    }
    int mapped = world.graphMap(INDEX, EDGES);
    assertEquals(world.rank() >= 4, mapped == UNDEFINED);
  }

  /** Everybody tells its rank to its neighbours; the example's edges all lead in both directions. */
  private static void exchange(GraphComm graph) {
    List<Request> requests = new ArrayList<>();
    int[] neighbors = graph.neighbors(graph.rank());
    int[][] in = new int[neighbors.length][1];
    for (int i = 0; i < neighbors.length; i++) {
      requests.add(graph.irecv(Buf.of(in[i]), neighbors[i], 1));
      requests.add(graph.isend(Buf.of(new int[] {graph.rank()}), neighbors[i], 1));
    }
    Request.waitAll(requests);
    for (int i = 0; i < neighbors.length; i++) {
      assertEquals(neighbors[i], in[i][0]);
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void edgesToItselfAndTwice(IntraComm world) {
    int n = world.size();
    int[] index = new int[n];
    Arrays.fill(index, 4);
    int[] edges = {0, n - 1, n - 1, 0};
    try (GraphComm graph = world.graphCreate(index, edges, true)) {
      assertEquals(Comparison.CONGRUENT, graph.compare(world));
      assertArrayEquals(edges, graph.neighbors(0));
      assertEquals(n == 1 ? 4 : 0, graph.neighborsCount(n - 1));
      index[0] = 0; // the graph has arrays of its own
      edges[0] = 9;
      graph.edges()[1] = 9;
      assertArrayEquals(new int[] {0, n - 1, n - 1, 0}, graph.neighbors(0));
    }
  }

  @MpiTest(ranks = {1, 2, 3})
  void withoutNodes(IntraComm world) {
    assertNull(world.graphCreate(new int[0], new int[0], false));
    assertEquals(UNDEFINED, world.graphMap(new int[0], new int[0]));
    int[] sum = {1};
    world.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(world.size(), sum[0]);
  }

  @MpiTest(ranks = {1, 2, 4})
  void wrongArguments(IntraComm world) {
    int n = world.size();
    assertError(
        ErrorClass.ERR_TOPOLOGY, () -> world.graphCreate(new int[n + 1], new int[0], false),
        "index.length = " + (n + 1));
    assertError(ErrorClass.ERR_TOPOLOGY, () -> world.graphCreate(new int[] {2}, new int[] {0}, true), "index[0] = 2");
    assertError(ErrorClass.ERR_TOPOLOGY, () -> world.graphCreate(new int[] {1}, new int[] {0, 0}, false));
    assertError(ErrorClass.ERR_RANK, () -> world.graphCreate(new int[] {1}, new int[] {1}, false), "edges[0] = 1");
    assertError(ErrorClass.ERR_RANK, () -> world.graphMap(new int[] {1}, new int[] {PROC_NULL}));
    assertError(ErrorClass.ERR_ARG, () -> world.graphCreate(null, new int[0], false), "index = null");
    try (GraphComm graph = world.graphCreate(new int[n], new int[0], false)) {
      assertError(ErrorClass.ERR_RANK, () -> graph.neighbors(n), "rank = " + n);
      assertError(ErrorClass.ERR_RANK, () -> graph.neighborsCount(-1));
    }
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_ARG, () -> world.graphCreate(new int[n], null, true));
    } else {
      assertNotNull(world.graphCreate(new int[n], new int[0], true));
    }
    try (IntraComm dup = world.dup()) {
      dup.barrier();
    }
  }
}
