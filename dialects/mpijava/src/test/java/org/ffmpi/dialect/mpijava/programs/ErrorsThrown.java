// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** Errors are thrown, say what is wrong, and leave the job as it was. */
final class ErrorsThrown {
  private ErrorsThrown() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int size = world.Size();
    int[] three = new int[3];
    check.fails("no such rank", () -> world.Send(three, 0, 3, MPI.INT, size, 0), "dest = " + size);
    check.fails("a negative rank", () -> world.Send(three, 0, 3, MPI.INT, -1, 0), "dest = -1");
    check.fails("any destination", () -> world.Send(three, 0, 3, MPI.INT, MPI.ANY_SOURCE, 0), "dest = ");
    check.fails("an undefined source", () -> world.Recv(three, 0, 3, MPI.INT, MPI.UNDEFINED, 0), "source = ");
    check.fails("a negative tag", () -> world.Send(three, 0, 3, MPI.INT, 0, -1025), "tag = -1025");
    try {
      mpjdev.Status status = world.Recv(three, 0, 3, MPI.INT, size, 0);
      check.fail("received from " + status.source);
    } catch (mpjdev.MPJDevException e) {
      check.that("an error by its other name", e instanceof MPIException);
    }
    check.fails("a negative count", () -> world.Send(three, 0, -3, MPI.INT, 0, 0), "count = -3");
    check.fails("too long", () -> world.Send(three, 1, 3, MPI.INT, 0, 0), "int[3]", "offset 1", "count 3", "MPI.INT");
    check.fails("a negative offset", () -> world.Recv(three, -1, 1, MPI.INT, 0, 0), "offset -1");
    check.fails("no array", () -> world.Send(null, 0, 1, MPI.INT, 0, 0), "null");
    check.fails("no array either", () -> world.Bcast("text", 0, 1, MPI.CHAR, 0), "String");
    check.fails("no type", () -> world.Send(three, 0, 1, null, 0, 0), "type = null");
    check.fails("the type that is none", () -> world.Send(three, 0, 1, MPI.NULL, 0, 0), "MPI.NULL");
    check.fails("a bound", () -> world.Send(three, 0, 1, MPI.UB, 0, 0), "MPI.UB");
    check.fails("another array", () -> world.Send(three, 0, 1, MPI.DOUBLE, 0, 0), "int[]", "type = MPI.DOUBLE");
    check.fails("no root", () -> world.Bcast(three, 0, 3, MPI.INT, size), "root = " + size);
    check.fails("no operation", () -> world.Allreduce(three, 0, new int[3], 0, 3, MPI.INT, null), "op = null");
    check.fails("bits of floats",
        () -> world.Allreduce(new float[1], 0, new float[1], 0, 1, MPI.FLOAT, MPI.BAND), "BAND");
    check.fails("short counts", () -> world.Allgatherv(
        three, 0, 1, MPI.INT, new int[size], 0, new int[size - 1], new int[size], MPI.INT), "recvcount");
    check.fails("no displacements", () -> world.Alltoallv(
        three, 0, new int[size], null, MPI.INT, three, 0, new int[size], new int[size], MPI.INT), "sdispls");
    check.fails("mixed types", () -> world.Allgather(
        three, 0, 1, MPI.INT, new Object[size], 0, 1, MPI.OBJECT), "MPI.OBJECT");

    int next = (world.Rank() + 1) % size;
    int before = (world.Rank() + size - 1) % size;
    Request sent = world.Isend(three, 0, 3, MPI.INT, next, 5);
    check.fails("too long a message", () -> world.Recv(new int[2], 0, 2, MPI.INT, before, 5), "MPI_ERR_TRUNCATE");
    sent.Wait();
    sent = world.Isend(three, 0, 3, MPI.INT, next, 5);
    Request receive = world.Irecv(new int[2], 0, 2, MPI.INT, before, 5);
    check.fails("too long a message, later", receive::Wait, "MPI_ERR_TRUNCATE");
    check.that("over", receive.Is_null());
    sent.Wait();
    sent = world.Isend(three, 0, 3, MPI.INT, next, 5);
    Request[] several = {sent, world.Irecv(new int[2], 0, 2, MPI.INT, before, 5)};
    check.fails("too long among several", () -> Request.Waitall(several), "MPI_ERR_TRUNCATE");
    check.that("all over", several[0].Is_null() && several[1].Is_null());

    check.equal("own text", "mine", new MPIException("mine").getMessage());
    check.that("no text", new MPIException().getMessage() == null);
    check.equal("of another", "why", new MPIException(new IllegalStateException("why")).getMessage());
    check.fails("a null handler", () -> MPI.Errorhandler_set(null), "handler");
    check.fails("a second start", () -> MPI.Init(new String[0]));
    world.Barrier();
  }
}
