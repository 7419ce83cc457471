// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Comm;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Copies and parts of communicators, their names and comparison. */
final class CommunicatorProgram {
  private CommunicatorProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    Check.that(!world.isInter() && !world.isNull(), "the world");
    Check.equal(1, MPI.COMM_SELF.getSize(), "COMM_SELF");
    Check.equal(0, MPI.COMM_SELF.getRank(), "rank in COMM_SELF");
    Check.equal("MPI_COMM_WORLD", world.getName(), "name of the world");
    Check.equal(MPI.UNDEFINED, world.getTopology(), "topology of the world");

    Intracomm copy = world.dup();
    Check.equal(MPI.CONGRUENT, Comm.compare(world, copy), "compare with a copy");
    Check.equal(MPI.IDENT, Comm.compare(world, world), "compare with itself");
    copy.setName("the copy");
    Check.equal("the copy", copy.getName(), "getName");
    isolated(world, copy);

    Intracomm clone = world.clone();
    Check.equal(size, clone.getSize(), "clone");
    Intracomm later = copy.iDup();
    later.getRequest().waitFor();
    Check.equal(rank, later.getRank(), "iDup");
    int[] sum = {1};
    later.allReduce(sum, 1, MPI.INT, MPI.SUM);
    Check.equal(size, sum[0], "sum over iDup");
    Info info = new Info();
    Intracomm informed = world.dupWithInfo(info);
    Check.equal(size, informed.getSize(), "dupWithInfo");
    Info used = informed.getInfo();
    informed.setInfo(info);
    used.free();
    info.free();
    informed.disconnect();
    Check.that(informed.isNull(), "a disconnected communicator");

    Intracomm half = world.split(rank % 2, -rank);
    Check.equal(rank % 2 == 0 ? (size + 1) / 2 : size / 2, half.getSize(), "split");
    int last = (size - 1 - rank % 2) / 2 * 2 + rank % 2;
    Check.equal((last - rank) / 2, half.getRank(), "split by falling keys");
    Intracomm nobody = world.split(MPI.UNDEFINED, 0);
    Check.that(nobody.isNull(), "split without a colour");
    Intracomm node = world.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL);
    Check.equal(size, node.getSize(), "ranks that share memory");
    node.free();
    half.free();
    clone.free();
    later.free();
    copy.free();
    Check.that(copy.isNull(), "a freed communicator");
    general(world, size);
  }

  /** Messages of one communicator are not received in another. */
  private static void isolated(Intracomm world, Intracomm copy) throws MPIException {
    int rank = world.getRank();
    int[] got = new int[1];
    copy.bSend(new int[] {1}, 1, MPI.INT, rank, 3);
    world.bSend(new int[] {2}, 1, MPI.INT, rank, 3);
    world.recv(got, 1, MPI.INT, rank, 3);
    Check.equal(2, got[0], "message of the world");
    copy.recv(got, 1, MPI.INT, rank, 3);
    Check.equal(1, got[0], "message of the copy");
  }

  /** As programs do that do not know of what kind a communicator is. */
  private static void general(Comm comm, int size) throws MPIException {
    Comm[] copies = {comm.dup(), comm.clone(), comm.dupWithInfo(MPI.INFO_NULL), comm.iDup()};
    copies[3].getRequest().waitFor();
    for (Comm copy : copies) {
      Check.that(copy instanceof Intracomm, "a copy is of the same kind");
      Check.equal(size, copy.getSize(), "size of a copy");
      copy.barrier();
      copy.free();
    }
  }
}
