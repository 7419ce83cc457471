// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.CartComm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** Neighbourhood collectives on a closed and on an open line of ranks. */
final class NeighborProgram {
  private NeighborProgram() {}

  private static int rank;
  private static int size;

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false);
    gathers(ring);
    exchanges(ring);
    vectors(ring);
    nonblocking(ring);
    ring.free();
    CartComm line = world.createCart(new int[] {size}, new boolean[] {false}, false);
    int[] got = {-1, -1};
    line.neighborAllGather(new int[] {rank}, 1, MPI.INT, got, 1, MPI.INT);
    Check.ints("neighbours at the edges", got, rank > 0 ? rank - 1 : -1, rank < size - 1 ? rank + 1 : -1);
    line.free();
  }

  private static int before() {
    return (rank + size - 1) % size;
  }

  private static int after() {
    return (rank + 1) % size;
  }

  private static void gathers(CartComm ring) throws MPIException {
    double[] got = new double[4];
    ring.neighborAllGather(new double[] {rank, 0.5}, 2, MPI.DOUBLE, got, 2, MPI.DOUBLE);
    Check.equal(new double[] {before(), 0.5, after(), 0.5}, got, "neighborAllGather");
    int[] places = {3, 0, 99};
    int[] counts = {1, 1, 99};
    int[] spread = new int[4];
    ring.neighborAllGatherv(new int[] {rank + 1}, 1, MPI.INT, spread, counts, places, MPI.INT);
    Check.ints("neighborAllGatherv", spread, after() + 1, 0, 0, before() + 1);
  }

  private static void exchanges(CartComm ring) throws MPIException {
    int[] got = new int[2];
    ring.neighborAllToAll(new int[] {10 * rank, 10 * rank + 1}, 1, MPI.INT, got, 1, MPI.INT);
    // The block for the lower neighbour comes first; with two ranks or one each block finds its place all the same.
    Check.ints("neighborAllToAll", got, 10 * before() + 1, 10 * after());
  }

  private static void vectors(CartComm ring) throws MPIException {
    int[] from = {rank, 50 + rank, 60 + rank};
    int[] to = new int[5];
    ring.neighborAllToAllv(from, new int[] {1, 2}, new int[] {0, 1}, MPI.INT, to, new int[] {2, 1}, new int[] {3, 0},
        MPI.INT);
    Check.ints("neighborAllToAllv", to, after(), 0, 0, 50 + before(), 60 + before());
  }

  private static void nonblocking(CartComm ring) throws MPIException {
    IntBuffer mine = MPI.newIntBuffer(2).put(0, 10 * rank).put(1, 10 * rank + 1);
    IntBuffer all = MPI.newIntBuffer(2);
    IntBuffer spread = IntBuffer.allocate(3);
    IntBuffer exchanged = MPI.newIntBuffer(2);
    IntBuffer crossed = IntBuffer.allocate(2);
    int[] ones = {1, 1};
    Request.waitAll(new Request[] {
        ring.iNeighborAllGather(mine, 1, MPI.INT, all, 1, MPI.INT),
        ring.iNeighborAllGatherv(mine, 1, MPI.INT, spread, ones, new int[] {2, 0}, MPI.INT),
        ring.iNeighborAllToAll(mine, 1, MPI.INT, exchanged, 1, MPI.INT),
        ring.iNeighborAllToAllv(mine, ones, new int[] {1, 0}, MPI.INT, crossed, ones, new int[] {1, 0}, MPI.INT)});
    Check.that(all.get(0) == 10 * before() && all.get(1) == 10 * after(), "iNeighborAllGather");
    Check.ints("iNeighborAllGatherv", spread.array(), 10 * after(), 0, 10 * before());
    Check.that(exchanged.get(0) == 10 * before() + 1 && exchanged.get(1) == 10 * after(), "iNeighborAllToAll");
    Check.ints("iNeighborAllToAllv", crossed.array(), 10 * after() + 1, 10 * before());
  }
}
