// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.MPI;
import mpi.MPIException;

/** A number goes round until it is 0; started with a level of threads. */
final class RingProgram {
  private RingProgram() {}

  public static void main(String[] args) throws MPIException {
    int level = MPI.InitThread(args, MPI.THREAD_MULTIPLE);
    if (level != MPI.queryThread()) {
      throw new AssertionError("level " + level);
    }
    int rank = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    int next = (rank + 1) % size;
    int[] message = {10};
    if (rank == 0) {
      MPI.COMM_WORLD.send(message, 1, MPI.INT, next, 201);
    }
    while (true) {
      MPI.COMM_WORLD.recv(message, 1, MPI.INT, MPI.ANY_SOURCE, 201);
      if (rank == 0) {
        message[0]--;
      }
      MPI.COMM_WORLD.send(message, 1, MPI.INT, next, 201);
      if (message[0] == 0) {
        break;
      }
    }
    if (rank == 0) {
      MPI.COMM_WORLD.recv(message, 1, MPI.INT, MPI.ANY_SOURCE, 201);
      System.out.println("round");
    }
    MPI.Finalize();
  }
}
