// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Info;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** An error that nobody asked to have returned; the argument says which. */
final class FatalProgram {
  private FatalProgram() {}

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int size = MPI.COMM_WORLD.getSize();
    if (MPI.COMM_WORLD.getRank() == 0) {
      try {
        switch (args[0]) {
          case "rank" -> MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, size, 0);
          case "array" -> MPI.COMM_WORLD.send(new int[1], 2, MPI.INT, 0, 0);
          case "info" -> new Info().delete("nothing");
          case "type" -> MPI.COMM_WORLD.send(new int[1], 1, MPI.DOUBLE, 0, 0);
          case "window" ->
            new Win(MPI.newIntBuffer(1), 1, 1, MPI.INFO_NULL, MPI.COMM_SELF).callErrhandler(MPI.ERR_WIN);
          case "abort" -> MPI.COMM_WORLD.abort(7);
          default -> throw new AssertionError(args[0]);
        }
      } catch (MPIException e) {
        System.out.println("caught");
      }
    }
    MPI.COMM_WORLD.barrier();
    MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
    System.out.println("not reached");
    MPI.Finalize();
  }
}
