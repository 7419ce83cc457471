// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.MPI;
import mpi.MPIException;

/** Errors that are returned, and one that the program does not catch. */
final class ReturnedErrorProgram {
  private ReturnedErrorProgram() {}

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
    int rank = MPI.COMM_WORLD.getRank();
    try {
      MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, -77, 0);
    } catch (MPIException e) {
      System.out.println("rank " + rank + " class " + (e.getErrorClass() == MPI.ERR_RANK));
    }
    int[] sum = {1};
    MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
    System.out.println("rank " + rank + " sum " + sum[0]);
    MPI.Finalize();
  }
}
