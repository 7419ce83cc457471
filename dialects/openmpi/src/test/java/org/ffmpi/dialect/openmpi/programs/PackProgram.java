// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Packing of different arrays into one message. */
final class PackProgram {
  private PackProgram() {}

  static void run() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    Datatype every = Datatype.createVector(3, 1, 2, MPI.DOUBLE);
    every.commit();
    int room = world.packSize(2, MPI.INT) + world.packSize(1, every) + world.packSize(4, MPI.CHAR)
        + world.packSize(3, MPI.LONG);
    Check.that(room >= 2 * 4 + 3 * 8 + 4 * 2 + 3 * 8, "packSize");
    byte[] packed = new byte[room];
    int position = world.pack(new int[] {rank, size}, 2, MPI.INT, packed, 0);
    Check.equal(8, position, "position after two ints");
    position = world.pack(new double[] {0, -1, rank, -1, 2}, 1, every, packed, position);
    position = world.pack("text".toCharArray(), 4, MPI.CHAR, packed, position);
    position = world.pack(MPI.slice(new long[] {1, 2, 3, 4}, 1), 3, MPI.LONG, packed, position);
    Check.that(position <= room, "position within packSize");

    byte[] got = new byte[room];
    Status status = world.sendRecv(packed, position, MPI.PACKED, next, 1, got, room, MPI.PACKED, previous, 1);
    Check.equal(position, status.getCount(MPI.PACKED), "bytes of the packed message");
    int[] ints = new int[2];
    double[] doubles = new double[3];
    char[] chars = new char[4];
    long[] longs = new long[4];
    int at = world.unpack(got, 0, ints, 2, MPI.INT);
    at = world.unpack(got, at, doubles, 3, MPI.DOUBLE);
    at = world.unpack(got, at, chars, 4, MPI.CHAR);
    at = world.unpack(got, at, MPI.slice(longs, 1), 3, MPI.LONG);
    Check.equal(position, at, "position at the end");
    Check.ints("ints", ints, previous, size);
    Check.equal(new double[] {0, previous, 2}, doubles, "doubles");
    Check.equal("text", new String(chars), "chars");
    Check.equal(new long[] {0, 2, 3, 4}, longs, "longs");

    // What was packed may be received as what it is.
    byte[] two = new byte[world.packSize(2, MPI.INT)];
    int end = world.pack(new int[] {3, 4}, 2, MPI.INT, two, 0);
    int[] plain = new int[2];
    world.sendRecv(two, end, MPI.PACKED, rank, 2, plain, 2, MPI.INT, rank, 2);
    Check.ints("packed, received as ints", plain, 3, 4);
    every.free();
  }
}
