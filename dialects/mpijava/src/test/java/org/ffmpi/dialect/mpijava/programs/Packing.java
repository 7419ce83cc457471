// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Data of several types packed into one message. */
final class Packing {
  private Packing() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    Datatype spread = Datatype.Vector(2, 1, 2, MPI.DOUBLE);
    spread.Commit();
    check.that("room for ints", world.Pack_size(3, MPI.INT) >= 12);
    check.that("room for a vector", world.Pack_size(2, spread) >= 32);
    byte[] packed = new byte[200];
    int end = world.Pack(new int[] {0, world.Rank(), 2, 3}, 1, 3, MPI.INT, packed, 5);
    check.that("packed", end >= 5 + 12);
    end = world.Pack(new double[] {1.5, 0, 2.5, 0}, 0, 1, spread, packed, end);
    end = world.Pack(new Object[] {"text", null, new int[] {4}}, 0, 3, MPI.OBJECT, packed, end);
    end = world.Pack(new boolean[] {true, false}, 0, 2, MPI.BOOLEAN, packed, end);
    world.Isend(packed, 5, end - 5, MPI.PACKED, next, 1);
    byte[] got = new byte[200];
    Status status = world.Recv(got, 0, got.length, MPI.PACKED, before, 1);
    check.equal("packed bytes", end - 5, status.Get_count(MPI.PACKED));

    int[] ints = new int[3];
    int position = world.Unpack(got, 0, ints, 0, 3, MPI.INT);
    check.equal("ints", new int[] {before, 2, 3}, ints);
    double[] doubles = new double[4];
    position = world.Unpack(got, position, doubles, 1, 1, spread);
    check.equal("doubles", new double[] {0, 1.5, 0, 2.5}, doubles);
    Object[] objects = new Object[3];
    position = world.Unpack(got, position, objects, 0, 3, MPI.OBJECT);
    check.equal("objects", new Object[] {"text", null, new int[] {4}}, objects);
    boolean[] truths = new boolean[2];
    position = world.Unpack(got, position, truths, 0, 2, MPI.BOOLEAN);
    check.equal("truths", new boolean[] {true, false}, truths);
    check.equal("the end", end - 5, position);

    // What has been packed can be received as what it is.
    byte[] alone = new byte[8];
    int alone8 = world.Pack(new int[] {6, world.Rank()}, 0, 2, MPI.INT, alone, 0);
    mpi.Request sent = world.Isend(alone, 0, alone8, MPI.PACKED, next, 2);
    world.Recv(ints, 1, 2, MPI.INT, before, 2);
    check.equal("received as ints", new int[] {before, 6, before}, ints);
    sent.Wait();

    check.fails("no room", () -> world.Pack(new long[9], 0, 9, MPI.LONG, new byte[8], 0));
    check.fails("no room for objects", () -> world.Pack(new Object[9], 0, 9, MPI.OBJECT, new byte[8], 0), "outbuf");
    check.fails("too little", () -> world.Unpack(new byte[8], 4, new long[1], 0, 1, MPI.LONG));
    check.fails("no objects", () -> world.Unpack(new byte[2], 0, new Object[1], 0, 1, MPI.OBJECT), "inbuf");
    check.fails("room for objects", () -> world.Pack_size(1, MPI.OBJECT), "MPI.OBJECT");
    world.Barrier();
  }
}
