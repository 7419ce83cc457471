// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.testkit.MpiTest;

/** A job of 64 ranks on sixteen nodes, in threads. */
class SixteenNodesTest {
  private static final int RANKS = 64;

  @MpiTest(ranks = RANKS, settings = {"ffmpi.node=4", "ffmpi.spin=0", "ffmpi.yield=0"})
  void sixteenNodes(Mpi mpi) {
    IntraComm world = mpi.world();
    int rank = world.rank();
    long[] sums = {rank, 1};
    world.allreduce(Buf.of(sums), Op.SUM);
    assertEquals(RANKS * (RANKS - 1) / 2, sums[0]);
    assertEquals(RANKS, sums[1]);

    int[] out = new int[2 * RANKS];
    int[] in = new int[2 * RANKS];
    for (int i = 0; i < out.length; i++) {
      out[i] = 1000 * rank + i;
    }
    world.alltoall(Buf.of(out), Buf.of(in));
    for (int i = 0; i < in.length; i++) {
      assertEquals(1000 * (i / 2) + 2 * rank + i % 2, in[i]);
    }

    int[] token = {0};
    if (rank == 0) {
      world.send(token, 1, 1);
      world.recv(token, RANKS - 1, 1);
      assertEquals(RANKS - 1, token[0]);
    } else {
      world.recv(token, rank - 1, 1);
      token[0]++;
      world.send(token, (rank + 1) % RANKS, 1);
    }

    try (IntraComm column = world.split(rank % 4, rank)) { // one of each node
      int[] ranks = new int[column.size()];
      column.allgather(Buf.of(new int[] {rank}), Buf.of(ranks));
      for (int i = 0; i < ranks.length; i++) {
        assertEquals(4 * i + rank % 4, ranks[i]);
      }
      long[] of = {rank};
      column.allreduce(Buf.of(of), Op.MAX);
      assertEquals(RANKS - 4 + rank % 4, of[0]);
    }
  }
}
