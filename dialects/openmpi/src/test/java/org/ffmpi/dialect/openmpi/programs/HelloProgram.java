// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.MPI;
import mpi.MPIException;

/** The first program, with arguments of its own. */
final class HelloProgram {
  private HelloProgram() {}

  public static void main(String[] args) throws MPIException {
    if (MPI.isInitialized()) {
      throw new AssertionError("initialized");
    }
    String[] own = MPI.Init(args);
    MPI.attachBuffer(new byte[100]); // Finalize detaches it
    int rank = MPI.COMM_WORLD.getRank();
    System.out.println("hello " + rank + " of " + MPI.COMM_WORLD.getSize() + " " + String.join(" ", own));
    MPI.Finalize();
    if (!MPI.isFinalized()) {
      throw new AssertionError("not finalized");
    }
  }
}
