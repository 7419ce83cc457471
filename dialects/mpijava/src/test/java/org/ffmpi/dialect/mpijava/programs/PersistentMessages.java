// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Requests that are started again and again, in all modes. */
final class PersistentMessages {
  private static final int TAG = 30;

  private PersistentMessages() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    MPI.Buffer_attach(new byte[4000]);
    double[] out = new double[3];
    double[][] in = new double[4][3];
    Prequest[] sends = {
        world.Send_init(out, 1, 2, MPI.DOUBLE, next, TAG), world.Ssend_init(out, 1, 2, MPI.DOUBLE, next, TAG + 1),
        world.Bsend_init(out, 1, 2, MPI.DOUBLE, next, TAG + 2),
        world.Rsend_init(out, 1, 2, MPI.DOUBLE, next, TAG + 3)};
    Prequest[] receives = new Prequest[4];
    for (int i = 0; i < 4; i++) {
      receives[i] = world.Recv_init(in[i], 0, 3, MPI.DOUBLE, before, TAG + i);
    }
    for (int round = 0; round < 3; round++) {
      out[1] = world.Rank();
      out[2] = round;
      Prequest.Startall(receives);
      world.Barrier(); // for the ready mode
      for (Prequest send : sends) {
        send.Start();
      }
      Status[] statuses = Request.Waitall(receives);
      Request.Waitall(sends);
      for (int i = 0; i < 4; i++) {
        check.equal("round " + round + ", mode " + i, new double[] {before, round, 0}, in[i]);
        check.equal("count", 2, statuses[i].Get_count(MPI.DOUBLE));
        check.equal("tag", TAG + i, statuses[i].tag);
        check.that("still a request", !receives[i].Is_null());
      }
    }
    check.equal("inactive", MPI.ANY_SOURCE, Request.Waitall(receives)[3].source);
    check.equal("wait for an inactive one", MPI.ANY_SOURCE, sends[0].Wait().source);

    Prequest never = world.Recv_init(in[0], 0, 3, MPI.DOUBLE, before, 4712);
    never.Start();
    check.fails("starting twice", never::Start, "active");
    check.that("not there", never.Test() == null);
    never.Cancel();
    check.that("cancelled", never.Wait().Test_cancelled());
    never.Start();
    never.Cancel();
    never.Wait();
    check.fails("starting nothing", () -> Prequest.Startall(null), "array_of_requests");
    Prequest[] some = {null, receives[0], null, sends[0]}; // as at the edges of a grid
    out[2] = 77;
    Prequest.Startall(some);
    Status[] ended = Request.Waitall(some);
    check.that("none for null", ended[0] == null && ended[2] == null);
    check.equal("between nulls", 77.0, in[0][1]);
    never.Free();
    check.that("freed", never.Is_null());
    check.fails("starting a freed one", never::Start, "freed");
    Request given = world.Isend(new double[3], 0, 3, MPI.DOUBLE, next, TAG);
    given.Free();
    check.that("given up", given.Is_null());
    world.Recv(in[0], 0, 3, MPI.DOUBLE, before, TAG);
    MPI.Buffer_detach();
  }
}
