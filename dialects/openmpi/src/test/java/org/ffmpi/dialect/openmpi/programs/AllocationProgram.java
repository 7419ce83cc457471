// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Blocking sends and receives of arrays, whole and in part, make no objects once they are compiled. */
final class AllocationProgram {
  private static final int CALLS = 20_000;
  private static final int ROUNDS = 20;

  private AllocationProgram() {}

  private static void round(int[] whole, double[] part) throws MPIException {
    Intracomm self = MPI.COMM_SELF;
    for (int i = 0; i < CALLS; i++) {
      self.send(whole, whole.length, MPI.INT, 0, 1);
      self.recv(whole, whole.length, MPI.INT, 0, 1);
      self.send(part, 2, MPI.DOUBLE, 0, 2);
      self.recv(part, 2, MPI.DOUBLE, 0, 2);
    }
  }

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] whole = new int[4];
    double[] part = new double[4];
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      round(whole, part);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    MPI.Finalize();
    System.out.println(least < CALLS ? "none" : least / (double) CALLS + " bytes each");
  }
}
