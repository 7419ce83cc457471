// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Comm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Communicators made of others. */
final class Communicators {
  private Communicators() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int size = world.Size();
    check.that("one group", !world.Test_inter());
    check.equal("no topology", MPI.UNDEFINED, world.Topo_test());
    check.equal("the same", MPI.IDENT, Comm.Compare(world, MPI.COMM_WORLD));

    Intracomm twin = (Intracomm) world.clone();
    check.equal("twin", MPI.CONGRUENT, Intracomm.Compare(world, twin));
    int[] got = new int[1];
    mpi.Request other = twin.Irecv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    int next = (rank + 1) % size;
    int[] here = new int[1];
    world.Sendrecv(new int[] {1}, 0, 1, MPI.INT, next, 0, here, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    twin.Send(new int[] {2}, 0, 1, MPI.INT, next, 0);
    other.Wait();
    check.that("messages do not meet", here[0] == 1 && got[0] == 2);

    Intracomm half = world.Split(rank % 2, -rank);
    check.equal("size of a half", rank % 2 == 0 ? (size + 1) / 2 : size / 2, half.Size());
    check.equal("order by key", half.Size() - 1 - rank / 2, half.Rank());
    int[] sum = new int[1];
    half.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    int expected = 0;
    for (int r = rank % 2; r < size; r += 2) {
      expected += r;
    }
    check.equal("sum of a half", expected, sum[0]);
    check.equal("halves", size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL, Comm.Compare(world, half));
    Intracomm some = world.Split(rank == 0 ? MPI.UNDEFINED : 1, 0);
    check.that("without colour", (some == MPI.COMM_NULL) == (rank == 0));
    check.fails("a negative colour", () -> MPI.COMM_WORLD.Split(-5, 0), "-5");

    Group group = world.Group().Range_incl(new int[][] {{size - 1, 0, -1}});
    Intracomm reversed = world.Create(group);
    check.equal("reversed", size - 1 - rank, reversed.Rank());
    check.equal("similar", size == 1 ? MPI.CONGRUENT : MPI.SIMILAR, Comm.Compare(world, reversed));
    Intracomm first = world.Create(world.Group().Incl(new int[] {0}));
    check.that("members only", (first != null) == (rank == 0));
    check.fails("no group", () -> world.Create(null), "group");

    twin.Free();
    check.fails("a freed communicator", () -> twin.Send(new int[1], 0, 1, MPI.INT, 0, 0));
    check.fails("freeing the world", world::Free, "MPI_ERR_COMM");
    check.fails("no communicator", () -> Comm.Compare(world, null), "comm2");
    half.Free();
    check.equal("alone", size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL,
        Comm.Compare(world, MPI.COMM_SELF));
    double[] mine = {-1};
    MPI.COMM_SELF.Sendrecv(
        new double[] {rank}, 0, 1, MPI.DOUBLE, 0, 0, mine, 0, 1, MPI.DOUBLE, 0, 0);
    check.equal("to itself", (double) rank, mine[0]);
  }
}
