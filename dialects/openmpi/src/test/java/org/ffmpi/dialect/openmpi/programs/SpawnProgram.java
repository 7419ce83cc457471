// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A program that starts itself once more, by the java command, and adds with those it has started. */
public final class SpawnProgram {
  private static final int CHILDREN = 2;

  private SpawnProgram() {}

  /**
   * Runs one rank.
   *
   * @param args not used
   */
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intercomm parent = Intercomm.getParent();
    if (parent.isNull()) {
      int[] codes = new int[2 * CHILDREN];
      String name = SpawnProgram.class.getName();
      add(MPI.COMM_WORLD.spawn("java", new String[] {name}, CHILDREN, MPI.INFO_NULL, 0, codes), false);
      add(MPI.COMM_WORLD.spawnMultiple(new String[] {"java", "java"}, new String[][] {{name}, {name}},
          new int[] {1, 1}, null, 0, codes), false);
      if (MPI.COMM_WORLD.getRank() == 0) {
        System.out.println("all children have added");
      }
    } else {
      add(parent, true);
    }
    MPI.Finalize();
  }

  private static void add(Intercomm other, boolean high) throws MPIException {
    Intracomm all = other.merge(high);
    int[] sum = {1};
    all.allReduce(sum, 1, MPI.INT, MPI.SUM);
    Check.equal(MPI.COMM_WORLD.getSize() + other.getRemoteSize(), sum[0], "ranks together");
    all.disconnect();
    other.disconnect();
  }
}
