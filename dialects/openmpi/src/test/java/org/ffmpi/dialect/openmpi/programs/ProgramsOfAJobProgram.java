// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.MPI;
import mpi.MPIException;

/** What INFO_ENV says in a job of several programs. */
final class ProgramsOfAJobProgram {
  private ProgramsOfAJobProgram() {}

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    if (MPI.COMM_WORLD.getRank() == 0) {
      for (String key : new String[] {"ompi_num_apps", "ompi_np", "ompi_first_rank"}) {
        System.out.println(key + " = " + MPI.INFO_ENV.get(key));
      }
    }
    int[] number = {(Integer) MPI.COMM_WORLD.getAttr(MPI.APPNUM)};
    MPI.COMM_WORLD.allReduce(number, 1, MPI.INT, MPI.SUM);
    if (MPI.COMM_WORLD.getRank() == 0) {
      System.out.println("sum of programs = " + number[0]);
    }
    MPI.Finalize();
  }
}
