// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** One half of the job accepts, the other one connects, twice; needs two ranks. */
final class PortProgram {
  private static final String SERVICE = "org.ffmpi.dialect.openmpi.programs";

  private PortProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    if (size == 1) {
      String port = Intracomm.openPort();
      Check.that(!port.isEmpty() && port.length() < MPI.MAX_PORT_NAME, "a port");
      Intracomm.closePort(port);
      return;
    }
    boolean server = rank < size / 2;
    Intracomm half = world.split(server ? 0 : 1, rank);
    Info info = new Info();
    for (int round = 0; round < 2; round++) {
      Intercomm inter;
      if (server) {
        String port = null;
        if (rank == 0) {
          port = round == 0 ? Intracomm.openPort() : Intracomm.openPort(info);
          if (round == 0) {
            Intracomm.publishName(SERVICE, port);
          } else {
            Intracomm.publishName(SERVICE, info, port);
          }
        }
        world.barrier();
        inter = round == 0 ? half.accept(port, 0) : half.accept(port, info, 0);
        if (rank == 0) {
          if (round == 0) {
            Intracomm.unpublishName(SERVICE, port);
          } else {
            Intracomm.unpublishName(SERVICE, info, port);
          }
          Intracomm.closePort(port);
        }
      } else {
        world.barrier();
        String port = null;
        if (half.getRank() == 0) {
          port = round == 0 ? Intracomm.lookupName(SERVICE) : Intracomm.lookupName(SERVICE, info);
        }
        inter = round == 0 ? half.connect(port, 0) : half.connect(port, info, 0);
      }
      Check.that(inter.isInter(), "what accept and connect return");
      Check.equal(size - half.getSize(), inter.getRemoteSize(), "ranks at the other end");
      int[] sum = new int[1];
      inter.allReduce(new int[] {server ? 1 : 2}, sum, 1, MPI.INT, MPI.SUM);
      Check.equal(server ? 2 * inter.getRemoteSize() : inter.getRemoteSize(), sum[0], "sum of the other end");
      inter.disconnect();
      Check.that(inter.isNull(), "a disconnected communicator");
    }
    info.free();
    half.free();
  }
}
