// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Comm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Two groups: the even and the odd ranks. */
final class Intercommunicators {
  private Intercommunicators() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int size = world.Size();
    check.fails("no local communicator", () -> world.Create_intercomm(null, 0, 0, 1), "local_comm");
    if (size < 2) {
      return;
    }
    boolean even = rank % 2 == 0;
    int evens = (size + 1) / 2;
    int odds = size / 2;
    Intracomm local = world.Split(rank % 2, rank);
    Intercomm inter = world.Create_intercomm(local, 0, even ? 1 : 0, 17);
    check.that("between two groups", inter.Test_inter());
    check.equal("local size", even ? evens : odds, inter.Size());
    check.equal("remote size", even ? odds : evens, inter.Remote_size());
    check.equal("rank", rank / 2, inter.Rank());
    Group remote = inter.Remote_group();
    check.equal("remote group", inter.Remote_size(), remote.Size());
    check.equal("not in it", MPI.UNDEFINED, remote.Rank());
    check.equal("own group", MPI.IDENT, Group.Compare(local.Group(), inter.Group()));
    check.equal("no topology", MPI.UNDEFINED, inter.Topo_test());

    // Each odd rank exchanges with the even one before it; objects and arrays.
    int partner = rank / 2;
    if (partner < inter.Remote_size()) {
      int[] got = new int[1];
      Status status = inter.Sendrecv(
          new int[] {rank}, 0, 1, MPI.INT, partner, 3, got, 0, 1, MPI.INT, partner, MPI.ANY_TAG);
      check.equal("the other one", even ? rank + 1 : rank - 1, got[0]);
      check.equal("its rank there", partner, status.source);
      Object[] text = new Object[1];
      mpi.Request sent = inter.Isend(new Object[] {"from " + rank}, 0, 1, MPI.OBJECT, partner, 4);
      inter.Recv(text, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, 4);
      sent.Wait();
      check.equal("its text", "from " + (even ? rank + 1 : rank - 1), text[0]);
    }
    Intercomm twin = (Intercomm) inter.clone();
    check.equal("twin", MPI.CONGRUENT, Comm.Compare(inter, twin));
    check.equal("another kind", MPI.UNEQUAL, Comm.Compare(inter, world));

    Intracomm merged = inter.Merge(even);
    check.equal("all", size, merged.Size());
    check.equal("odd ones first", even ? odds + rank / 2 : rank / 2, merged.Rank());
    int[] sum = new int[1];
    merged.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    check.equal("sum of all", size, sum[0]);
    check.fails("a local intercommunicator", () -> world.Create_intercomm(twin, 0, 0, 1), "local_comm");
    merged.Free();
    twin.Free();
    inter.Free();
  }
}
