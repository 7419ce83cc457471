// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Persistent sends in all modes and persistent receives. */
final class PersistentProgram {
  private static final int ROUNDS = 3;

  private PersistentProgram() {}

  static void run() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    IntBuffer[] out = {MPI.newIntBuffer(2), MPI.newIntBuffer(2), MPI.newIntBuffer(2), IntBuffer.allocate(2)};
    IntBuffer[] in = {MPI.newIntBuffer(2), MPI.newIntBuffer(2), MPI.newIntBuffer(2), IntBuffer.allocate(2)};
    Prequest[] receives = new Prequest[4];
    for (int i = 0; i < 4; i++) {
      receives[i] = world.recvInit(in[i], 2, MPI.INT, previous, i);
    }
    Prequest[] sends = {
        world.sendInit(out[0], 2, MPI.INT, next, 0),
        world.bSendInit(out[1], 2, MPI.INT, next, 1),
        world.sSendInit(out[2], 2, MPI.INT, next, 2),
        world.rSendInit(out[3], 2, MPI.INT, next, 3)};
    for (int round = 0; round < ROUNDS; round++) {
      Prequest.startAll(receives);
      world.barrier();
      for (int i = 0; i < 4; i++) {
        out[i].put(0, rank * 10 + round).put(1, i);
        sends[i].start();
      }
      Status[] statuses = Request.waitAllStatus(receives);
      Request.waitAll(sends);
      for (int i = 0; i < 4; i++) {
        Check.equal(previous * 10 + round, in[i].get(0), "round " + round + " of request " + i);
        Check.equal(i, in[i].get(1), "tag " + i);
        Check.equal(i, statuses[i].getTag(), "status of request " + i);
        Check.that(!receives[i].isNull() && !sends[i].isNull(), "a persistent request stays");
      }
    }
    Check.that(sends[0].test(), "an inactive request is complete");
    for (int i = 0; i < 4; i++) {
      sends[i].free();
      receives[i].free();
      Check.that(sends[i].isNull() && receives[i].isNull(), "a freed request is null");
    }
  }
}
