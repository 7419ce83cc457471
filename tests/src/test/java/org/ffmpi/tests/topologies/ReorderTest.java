// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Comparison;
import org.ffmpi.DistGraphComm;
import org.ffmpi.GraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

/** Ranks that get other numbers so that neighbours share caches, on a machine that was recorded. */
class ReorderTest {
  private static final String MACHINE = "ffmpi.machine=" + Machines.FOUR_CACHES;
  private static final String SPREAD = "ffmpi.machine.processors=0,4,8,12,1,5,9,13"; // next ranks share nothing

  static {
    Machines.unpack();
  }

  /** Tells which third-level cache each rank of a communicator has; processors are those of {@link #SPREAD}. */
  private static int[] caches(IntraComm comm, IntraComm world) {
    int[] all = new int[comm.size()];
    comm.gather(Buf.of(new int[] {world.rank() % 4}), comm.rank() == 0 ? Buf.of(all) : null, 0);
    comm.bcast(Buf.of(all), 0);
    return all;
  }

  private static int changes(int[] caches) {
    int changes = 0;
    for (int r = 1; r < caches.length; r++) {
      changes += caches[r] == caches[r - 1] ? 0 : 1;
    }
    return changes;
  }

  @MpiTest(ranks = 8, settings = {MACHINE, SPREAD})
  void aLineChangesTheCacheThreeTimes(IntraComm world) {
    int[] dims = {8};
    boolean[] periods = {false};
    try (CartComm line = world.cartCreate(dims, periods, true);
        CartComm asItIs = world.cartCreate(dims, periods, false)) {
      assertEquals(Comparison.SIMILAR, line.compare(world));
      assertEquals(Comparison.CONGRUENT, asItIs.compare(world));
      assertEquals(3, changes(caches(line, world)));
      assertEquals(7, changes(caches(asItIs, world)));
      assertEquals(line.rank(), world.cartMap(dims, periods));
      int[] in = {-1};
      CartComm.Shift shift = line.shift(0, 1);
      line.sendrecv(Buf.of(new int[] {line.rank()}), shift.dest(), 0, Buf.of(in), shift.source(), 0);
      assertEquals(line.rank() - 1, in[0]);
      try (CartComm dup = line.dup(); CartComm sub = line.sub(true)) {
        assertEquals(Comparison.CONGRUENT, dup.compare(line));
        assertEquals(Comparison.CONGRUENT, sub.compare(line));
      }
    }
  }

  @MpiTest(ranks = 8, settings = {MACHINE, SPREAD})
  void aGridForSomeOfTheRanks(IntraComm world) {
    CartComm grid = world.cartCreate(new int[] {3, 2}, new boolean[2], true);
    assertEquals(world.rank() < 6, grid != null);
    if (grid != null) {
      assertEquals(6, grid.size());
      int[] caches = caches(grid, world); // two ranks each have cache 0 and 1, one each 2 and 3
      int within = 0;
      for (int r = 0; r < 6; r++) {
        within += r % 2 == 0 && caches[r] == caches[r + 1] ? 1 : 0;
        within += r < 4 && caches[r] == caches[r + 2] ? 1 : 0;
      }
      assertEquals(2, within);
    }
  }

  @MpiTest(ranks = 8, settings = {MACHINE, SPREAD})
  void graphs(IntraComm world) {
    int[] index = {1, 2, 3, 4, 5, 6, 7, 8};
    int[] edges = {1, 0, 3, 2, 5, 4, 7, 6}; // pairs
    try (GraphComm graph = world.graphCreate(index, edges, true)) {
      int[] caches = caches(graph, world);
      for (int r = 0; r < 8; r++) {
        assertEquals(caches[r], caches[edges[r]]);
      }
      assertEquals(graph.rank(), world.graphMap(index, edges));
    }
    int[] partner = {edges[world.rank()]};
    int[] heavy = {100 + world.rank() / 2};
    try (DistGraphComm graph = world.distGraphCreateAdjacent(partner, heavy, partner, heavy, null, true)) {
      DistGraphComm.Neighbors neighbors = graph.neighbors();
      assertArrayEquals(new int[] {edges[graph.rank()]}, neighbors.sources(), "those of the new rank");
      assertArrayEquals(new int[] {100 + graph.rank() / 2}, neighbors.sourceWeights());
      int[] caches = caches(graph, world);
      assertEquals(caches[graph.rank()], caches[neighbors.destinations()[0]]);
    }
    int[] here = {world.rank()};
    int[] one = {1};
    try (DistGraphComm graph = world.distGraphCreate(here, one, partner, DistGraphComm.UNWEIGHTED, null, true)) {
      int[] caches = caches(graph, world);
      assertEquals(caches[graph.rank()], caches[graph.neighbors().sources()[0]]);
    }
  }

  @MpiTest(ranks = {1, 2, 4, 8}, settings = MACHINE)
  void ranksThatAreNotBoundKeepTheirOrder(IntraComm world) {
    try (CartComm line = world.cartCreate(new int[] {world.size()}, new boolean[1], true)) {
      assertEquals(Comparison.CONGRUENT, line.compare(world));
    }
  }
}
