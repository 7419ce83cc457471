// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** One array to send from and to receive into: the same elements, others of it, and some of the same. */
final class Aliasing {
  private Aliasing() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    reductions(check, world);
    gathers(check, world);
    scatters(check, world);
    exchanges(check, world);
  }

  private static int sum(Intracomm world) throws MPIException {
    return world.Size() * (world.Size() - 1) / 2;
  }

  private static void reductions(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int sum = sum(world);
    int[] a = {rank, rank + 1, rank + 2};
    world.Allreduce(a, 0, a, 0, 3, MPI.INT, MPI.SUM);
    check.equal("allreduce in place", new int[] {sum, sum + size, sum + 2 * size}, a);
    int[] b = {rank, rank + 1, rank + 2};
    world.Allreduce(b, 0, b, 1, 2, MPI.INT, MPI.SUM);
    check.equal("allreduce of some of the same", new int[] {rank, sum, sum + size}, b);
    int[] c = {rank, 5, -1, -1};
    world.Allreduce(c, 0, c, 2, 2, MPI.INT, MPI.SUM);
    check.equal("allreduce apart", new int[] {rank, 5, sum, 5 * size}, c);

    int[] d = {rank, rank + 1};
    world.Reduce(d, 0, d, 0, 2, MPI.INT, MPI.SUM, 0);
    check.equal("reduce in place", rank == 0 ? new int[] {sum, sum + size} : new int[] {rank, rank + 1}, d);
    int[] e = {rank, rank + 1, 0};
    world.Reduce(e, 0, e, 1, 2, MPI.INT, MPI.SUM, size - 1);
    check.equal("reduce of some of the same",
        rank == size - 1 ? new int[] {rank, sum, sum + size} : new int[] {rank, rank + 1, 0}, e);

    int[] f = {rank, 1};
    world.Scan(f, 0, f, 0, 2, MPI.INT, MPI.SUM);
    check.equal("scan in place", new int[] {rank * (rank + 1) / 2, rank + 1}, f);
    int[] g = {rank, 1, 0};
    world.Scan(g, 0, g, 1, 2, MPI.INT, MPI.SUM);
    check.equal("scan of some of the same", new int[] {rank, rank * (rank + 1) / 2, rank + 1}, g);

    int[] ones = new int[size];
    Arrays.fill(ones, 1);
    int[] h = new int[size];
    for (int i = 0; i < size; i++) {
      h[i] = rank + 100 * i;
    }
    int[] k = h.clone();
    world.Reduce_scatter(h, 0, h, 0, ones, MPI.INT, MPI.SUM);
    check.equal("reduce_scatter in place", sum + 100 * rank * size, h[0]);
    if (size > 1) {
      world.Reduce_scatter(k, 0, k, 1, ones, MPI.INT, MPI.SUM);
      check.equal("reduce_scatter of some of the same", sum + 100 * rank * size, k[1]);
      check.equal("kept", rank, k[0]);
    }
  }

  private static void gathers(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] expected = new int[2 * size];
    for (int r = 0; r < size; r++) {
      expected[2 * r] = r;
      expected[2 * r + 1] = -r;
    }
    int[] counts = new int[size];
    int[] displs = new int[size];
    for (int r = 0; r < size; r++) {
      counts[r] = 2;
      displs[r] = 2 * r;
    }
    for (int place : new int[] {2 * rank, 0}) { // its own block, and the first, which is another's
      for (int form = 0; form < 4; form++) {
        int[] a = new int[2 * size];
        a[place] = rank;
        a[place + 1] = -rank;
        switch (form) {
          case 0 -> world.Allgather(a, place, 2, MPI.INT, a, 0, 2, MPI.INT);
          case 1 -> world.Allgatherv(a, place, 2, MPI.INT, a, 0, counts, displs, MPI.INT);
          case 2 -> world.Gather(a, place, 2, MPI.INT, a, 0, 2, MPI.INT, size - 1);
          default -> world.Gatherv(a, place, 2, MPI.INT, a, 0, counts, displs, MPI.INT, size - 1);
        }
        if (form < 2 || rank == size - 1) {
          check.equal("gather of form " + form + " from " + place, expected, a);
        }
      }
    }
  }

  private static void scatters(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] counts = new int[size];
    int[] displs = new int[size];
    Arrays.fill(counts, 2);
    Arrays.setAll(displs, r -> 2 * r);
    for (int place : new int[] {2 * rank, 0, 1}) {
      for (int form = 0; form < 2; form++) {
        int[] a = new int[2 * size + 1];
        if (rank == 0) {
          Arrays.setAll(a, i -> i + 1);
        }
        if (form == 0) {
          world.Scatter(a, 0, 2, MPI.INT, a, place, 2, MPI.INT, 0);
        } else {
          world.Scatterv(a, 0, counts, displs, MPI.INT, a, place, 2, MPI.INT, 0);
        }
        check.equal("scatter of form " + form + " to " + place, 2 * rank + 1, a[place]);
        check.equal("second of form " + form + " to " + place, 2 * rank + 2, a[place + 1]);
      }
    }
  }

  private static void exchanges(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] counts = new int[size];
    int[] displs = new int[size];
    Arrays.fill(counts, 1);
    Arrays.setAll(displs, r -> r);
    for (int form = 0; form < 4; form++) {
      int[] a = new int[size + 1];
      for (int r = 0; r < size; r++) {
        a[r] = 100 * rank + r;
      }
      int to = form % 2; // the same elements, or one further on
      if (form < 2) {
        world.Alltoall(a, 0, 1, MPI.INT, a, to, 1, MPI.INT);
      } else {
        world.Alltoallv(a, 0, counts, displs, MPI.INT, a, to, counts, displs, MPI.INT);
      }
      for (int r = 0; r < size; r++) {
        check.equal("exchange of form " + form, 100 * r + rank, a[r + to]);
      }
    }
  }
}
