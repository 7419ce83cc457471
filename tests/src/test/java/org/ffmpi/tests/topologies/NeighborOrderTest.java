// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.topologies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.DistGraphComm.Neighbors;
import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.collectives.CheckedOrNot;

/** Several edges between the same two ranks: which block meets which (MPI-4.1 §8.6). */
class NeighborOrderTest {
  private static final int[] NOBODY = {};

  /** Two edges to the same rank, with blocks of different lengths. */
  @CheckedOrNot
  @MpiTest(ranks = 2)
  void ringsOfTwo(IntraComm world) {
    for (int[] dims : new int[][] {{2}, {1, 2}, {2, 1}}) {
      boolean[] periods = new boolean[dims.length];
      Arrays.fill(periods, true);
      try (CartComm cart = world.cartCreate(dims, periods, false)) {
        for (int dimension = 0; dimension < dims.length; dimension++) {
          exchange(cart, dims, dimension);
        }
      }
    }
  }

  /** Sends 3 numbers down and 1 up in one dimension, nothing in the others. */
  private static void exchange(CartComm cart, int[] dims, int dimension) {
    int me = cart.rank();
    int other = dims[dimension] == 2 ? 1 - me : me;
    long[] sendCounts = new long[2 * dims.length];
    long[] recvCounts = new long[2 * dims.length];
    long[] sendDispls = new long[2 * dims.length];
    long[] recvDispls = new long[2 * dims.length];
    int down = 2 * dimension;
    int up = down + 1;
    sendCounts[down] = 3;
    sendCounts[up] = 1;
    sendDispls[up] = 3;
    recvCounts[down] = 1; // what the rank below sends up
    recvCounts[up] = 3;
    recvDispls[up] = 1;
    int[] sent = {100 * me, 100 * me + 1, 100 * me + 2, 100 * me + 9};
    int[] expected = {100 * other + 9, 100 * other, 100 * other + 1, 100 * other + 2};
    int[] got = new int[4];
    cart.neighborAlltoallv(Buf.of(sent), sendCounts, sendDispls, Buf.of(got), recvCounts, recvDispls);
    assertArrayEquals(expected, got);
    Arrays.fill(got, 0);
    cart.ineighborAlltoallv(Buf.of(sent), sendCounts, sendDispls, Buf.of(got), recvCounts, recvDispls).await();
    assertArrayEquals(expected, got);
  }

  /** Each rank has two edges to the next and one to itself, twice; the last has none at all. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void duplicatesAndLoops(IntraComm world) {
    int last = world.size() - 1; // has no edges
    int me = world.rank();
    boolean isLast = me == last;
    int next = (me + 1) % last;
    int before = Math.floorMod(me - 1, last);
    int[] to = isLast ? NOBODY : new int[] {next, me, next, me};
    int[] from = isLast ? NOBODY : new int[] {me, before, before, me};
    try (DistGraphComm graph = world.distGraphCreateAdjacent(from, to, false)) {
      int[] got = new int[4];
      Buf<Integer> send = isLast ? null : Buf.of(new int[] {10 * me, 10 * me + 1, 10 * me + 2, 10 * me + 3});
      Buf<Integer> recv = isLast ? null : Buf.of(got);
      // On one rank all four are loops, in their order.
      int[] expected = isLast ? new int[4]
          : before == me ? new int[] {0, 1, 2, 3}
          : new int[] {10 * me + 1, 10 * before, 10 * before + 2, 10 * me + 3};
      graph.neighborAlltoall(send, recv);
      assertArrayEquals(expected, got);
      Arrays.fill(got, 0);
      graph.ineighborAlltoall(send, recv).await();
      assertArrayEquals(expected, got);
      Buf<Integer> one = isLast ? null : Buf.of(new int[] {me + 1});
      graph.neighborAllgather(one, recv);
      int b = before + 1;
      assertArrayEquals(isLast ? new int[4] : new int[] {me + 1, b, b, me + 1}, got);
    }
  }

  /** All edges are given by the last rank, with weights; the blocks follow the neighbours' own lists. */
  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void edgesOfThirdRanks(IntraComm world) {
    int n = world.size();
    int me = world.rank();
    int[] sources = NOBODY;
    int[] degrees = NOBODY;
    int[] destinations = NOBODY;
    int[] weights = DistGraphComm.WEIGHTS_EMPTY;
    if (me == n - 1) {
      sources = new int[2 * n];
      degrees = new int[2 * n];
      destinations = new int[2 * n];
      weights = new int[2 * n];
      for (int i = 0; i < 2 * n; i++) {
        sources[i] = i % n;
        degrees[i] = 1;
        destinations[i] = (i + 1) % n;
        weights[i] = 10 + i;
      }
    }
    try (DistGraphComm graph = world.distGraphCreate(sources, degrees, destinations, weights, null, false)) {
      Neighbors neighbors = graph.neighbors();
      int next = (me + 1) % n;
      int before = Math.floorMod(me - 1, n);
      assertArrayEquals(new int[] {next, next}, neighbors.destinations());
      assertArrayEquals(new int[] {before, before}, neighbors.sources());
      assertArrayEquals(new int[] {10 + me, 10 + n + me}, neighbors.destWeights());
      assertArrayEquals(new int[] {10 + before, 10 + n + before}, neighbors.sourceWeights());
      int[] got = new int[2];
      graph.neighborAlltoall(Buf.of(neighbors.destWeights()), Buf.of(got));
      assertArrayEquals(neighbors.sourceWeights(), got);
      assertEquals(2, graph.neighborsCount().outdegree());
    }
  }
}
