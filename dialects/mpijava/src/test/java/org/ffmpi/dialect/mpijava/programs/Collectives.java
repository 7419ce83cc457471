// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Collective calls on arrays of primitives, with offsets, derived types and arrays of counts that are too long. */
final class Collectives {
  private Collectives() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    for (int root = 0; root < world.Size(); root += 3) {
      bcast(check, world, root);
      equal(check, world, root);
      different(check, world, root);
    }
    toAll(check, world);
    derived(check, world);
  }

  private static void bcast(Check check, Intracomm world, int root) throws MPIException {
    char[] text = new char[5];
    if (world.Rank() == root) {
      text = new char[] {'a', 'b', 'c', 'd', 'e'};
    }
    world.Bcast(text, 1, 3, MPI.CHAR, root);
    char[] expected = world.Rank() == root
        ? new char[] {'a', 'b', 'c', 'd', 'e'} : new char[] {0, 'b', 'c', 'd', 0};
    check.equal("bcast from " + root, expected, text);
    world.Bcast(text, 0, 0, MPI.CHAR, root);
  }

  private static void equal(Check check, Intracomm world, int root) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    float[] all = rank == root ? new float[2 * size + 1] : null;
    world.Gather(new float[] {-1, rank, rank + 0.5f}, 1, 2, MPI.FLOAT, all, 1, 2, MPI.FLOAT, root);
    for (int r = 0; r < size && rank == root; r++) {
      check.equal("gathered of " + r, (float) r, all[1 + 2 * r]);
      check.equal("second gathered of " + r, r + 0.5f, all[2 + 2 * r]);
    }
    float[] back = new float[4];
    world.Scatter(all, 1, 2, MPI.FLOAT, back, 2, 2, MPI.FLOAT, root);
    check.equal("scattered from " + root, new float[] {0, 0, rank, rank + 0.5f}, back);
    // Counts of the other side are not looked at.
    world.Gather(new float[] {rank}, 0, 1, MPI.FLOAT, all, 0, rank == root ? 1 : -5, MPI.FLOAT, root);
  }

  /** Rank r has r + 1 elements; they lie in reverse order of ranks, with a gap between. */
  private static void different(Check check, Intracomm world, int root) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] counts = new int[size + 3]; // longer than needed
    int[] displs = new int[size + 2];
    int at = 0;
    for (int r = size - 1; r >= 0; r--) {
      counts[r] = r + 1;
      displs[r] = at;
      at += r + 2;
    }
    short[] mine = new short[rank + 2];
    for (int i = 0; i <= rank; i++) {
      mine[i + 1] = (short) (100 * rank + i);
    }
    short[] all = rank == root ? new short[at + 2] : null;
    world.Gatherv(mine, 1, rank + 1, MPI.SHORT, all, 2, rank == root ? counts : null,
        rank == root ? displs : null, MPI.SHORT, root);
    short[] expected = new short[at + 2];
    for (int r = 0; r < size; r++) {
      for (int i = 0; i <= r; i++) {
        expected[2 + displs[r] + i] = (short) (100 * r + i);
      }
    }
    if (rank == root) {
      check.equal("gatherv to " + root, expected, all);
    }
    short[] back = new short[rank + 2];
    world.Scatterv(all, 2, rank == root ? counts : null, rank == root ? displs : null, MPI.SHORT, back, 1, rank + 1,
        MPI.SHORT, root);
    check.equal("scatterv from " + root, mine, back);
    short[] everywhere = new short[at + 2];
    world.Allgatherv(mine, 1, rank + 1, MPI.SHORT, everywhere, 2, counts, displs, MPI.SHORT);
    check.equal("allgatherv", expected, everywhere);
  }

  private static void toAll(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    byte[] all = new byte[2 * size + 1];
    world.Allgather(new byte[] {0, (byte) rank, (byte) -rank}, 1, 2, MPI.BYTE, all, 1, 2, MPI.BYTE);
    for (int r = 0; r < size; r++) {
      check.that("allgather of " + r, all[1 + 2 * r] == r && all[2 + 2 * r] == -r);
    }
    long[] send = new long[2 * size + 1];
    long[] recv = new long[2 * size + 1];
    for (int r = 0; r < size; r++) {
      send[2 * r + 1] = 100L * rank + r;
      send[2 * r + 2] = -r;
    }
    world.Alltoall(send, 1, 2, MPI.LONG, recv, 1, 2, MPI.LONG);
    for (int r = 0; r < size; r++) {
      check.that("alltoall of " + r, recv[2 * r + 1] == 100L * r + rank && recv[2 * r + 2] == -rank);
    }

    // Rank s sends s + r + 1 elements to rank r.
    int[] sendcounts = new int[size + 1];
    int[] recvcounts = new int[size + 1];
    int[] sdispls = new int[size + 1];
    int[] rdispls = new int[size + 1];
    for (int r = 0; r < size; r++) {
      sendcounts[r] = rank + r + 1;
      recvcounts[r] = rank + r + 1;
      sdispls[r + 1] = sdispls[r] + sendcounts[r];
      rdispls[r + 1] = rdispls[r] + recvcounts[r] + 1;
    }
    int[] out = new int[sdispls[size]];
    for (int r = 0; r < size; r++) {
      for (int i = 0; i < sendcounts[r]; i++) {
        out[sdispls[r] + i] = 10000 * rank + 100 * r + i;
      }
    }
    int[] in = new int[rdispls[size]];
    int[] expected = new int[rdispls[size]];
    for (int r = 0; r < size; r++) {
      for (int i = 0; i < recvcounts[r]; i++) {
        expected[rdispls[r] + i] = 10000 * r + 100 * rank + i;
      }
    }
    world.Alltoallv(out, 0, sendcounts, sdispls, MPI.INT, in, 0, recvcounts, rdispls, MPI.INT);
    check.equal("alltoallv", expected, in);
    world.Barrier();
  }

  /** Displacements of the calls with counts are in extents of the type. */
  private static void derived(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    Datatype ends = Datatype.Vector(2, 1, 2, MPI.INT); // extent 3
    ends.Commit();
    int[] counts = new int[size];
    int[] displs = new int[size];
    for (int r = 0; r < size; r++) {
      counts[r] = 1;
      displs[r] = size - 1 - r;
    }
    int[] all = new int[3 * size];
    int[] expected = new int[3 * size];
    for (int r = 0; r < size; r++) {
      expected[3 * (size - 1 - r)] = r;
      expected[3 * (size - 1 - r) + 2] = -r;
    }
    world.Allgatherv(new int[] {rank, 99, -rank}, 0, 1, ends, all, 0, counts, displs, ends);
    check.equal("allgatherv of a vector", expected, all);
    int[] own = new int[2];
    world.Scatterv(all, 0, counts, displs, ends, own, 0, 2, MPI.INT, size - 1);
    check.equal("scatterv of a vector", new int[] {rank, -rank}, own);
    int[] gathered = new int[3 * size];
    world.Gather(own, 0, 2, MPI.INT, gathered, 0, 1, ends, 0);
    if (rank == 0) {
      check.equal("gathered ends", -(size - 1), gathered[3 * size - 1]);
      check.equal("gap between", 0, gathered[1]);
    }
  }
}
