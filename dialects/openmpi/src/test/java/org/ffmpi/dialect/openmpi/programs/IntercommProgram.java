// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Two groups that talk to one another; needs two ranks. */
final class IntercommProgram {
  private IntercommProgram() {}

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    Check.that(Intercomm.getParent().isNull(), "nobody has spawned this job");
    if (size == 1) {
      return;
    }
    int lower = size / 2;
    boolean low = rank < lower;
    Intracomm half = world.split(low ? 0 : 1, rank);
    Intercomm inter = world.createIntercomm(half, 0, low ? lower : 0, 9);
    Check.that(inter.isInter(), "isInter");
    Check.equal(half.getSize(), inter.getSize(), "ranks of this side");
    Check.equal(half.getRank(), inter.getRank(), "rank on this side");
    int remote = low ? size - lower : lower;
    Check.equal(remote, inter.getRemoteSize(), "ranks of the other side");
    Group others = inter.getRemoteGroup();
    Check.equal(remote, others.getSize(), "group of the other side");
    others.free();
    messages(inter, low);
    collectives(inter, low, remote);
    copies(inter, remote);
    merged(inter, low, world);
    inter.free();
    Check.that(inter.isNull(), "a freed intercommunicator");
    half.free();
  }

  private static void messages(Intercomm inter, boolean low) throws MPIException {
    int rank = inter.getRank();
    int partner = rank < inter.getRemoteSize() ? rank : MPI.PROC_NULL;
    int[] got = {-1};
    Status status = inter.sendRecv(new int[] {low ? rank : 100 + rank}, 1, MPI.INT, partner, 1,
        got, 1, MPI.INT, partner, 1);
    Check.equal(partner, status.getSource(), "source on the other side");
    Check.equal(partner == MPI.PROC_NULL ? -1 : low ? 100 + partner : partner, got[0], "message of the other side");
  }

  private static void collectives(Intercomm inter, boolean low, int remote) throws MPIException {
    inter.barrier();
    int[] told = {low && inter.getRank() == 0 ? 77 : 0};
    inter.bcast(told, 1, MPI.INT, low ? inter.getRank() == 0 ? MPI.ROOT : MPI.PROC_NULL : 0);
    Check.equal(low && inter.getRank() != 0 ? 0 : 77, told[0], "bcast to the other side");
    int[] sum = new int[1];
    inter.allReduce(new int[] {low ? 1 : 10}, sum, 1, MPI.INT, MPI.SUM);
    Check.equal(low ? 10 * remote : remote, sum[0], "sum of the other side");
    int[] all = new int[remote];
    inter.allGather(new int[] {inter.getRank() + (low ? 0 : 50)}, 1, MPI.INT, all, 1, MPI.INT);
    for (int i = 0; i < remote; i++) {
      Check.equal(i + (low ? 50 : 0), all[i], "allGather of the other side");
    }
    IntBuffer gathered = MPI.newIntBuffer(remote);
    int root = low ? 0 : inter.getRank() == 0 ? MPI.ROOT : MPI.PROC_NULL;
    Request request = inter.iGather(MPI.newIntBuffer(1).put(0, inter.getRank() + 5), 1, MPI.INT, gathered, 1, MPI.INT,
        root);
    request.waitFor();
    if (root == MPI.ROOT) {
      Check.equal(remote + 4, gathered.get(remote - 1), "gather of the other side");
    }
    int[] counts = new int[remote + 1];
    int[] places = new int[remote + 1];
    for (int i = 0; i < remote; i++) {
      counts[i] = 1;
      places[i] = remote - 1 - i;
    }
    int[] blocks = new int[remote];
    for (int i = 0; i < remote; i++) {
      blocks[places[i]] = 10 * inter.getRank() + i;
    }
    int[] exchanged = new int[remote];
    inter.allToAllv(blocks, counts, places, MPI.INT, exchanged, counts, places, MPI.INT);
    for (int i = 0; i < remote; i++) {
      Check.equal(10 * i + inter.getRank(), exchanged[places[i]], "allToAllv with the other side");
    }
  }

  private static void copies(Intercomm inter, int remote) throws MPIException {
    Intercomm dup = inter.dup();
    Intercomm clone = inter.clone();
    Intercomm informed = inter.dupWithInfo(MPI.INFO_NULL);
    Intercomm later = inter.iDup();
    later.getRequest().waitFor();
    Check.equal(MPI.CONGRUENT, Comm.compare(inter, dup), "compare with a copy");
    for (Intercomm copy : new Intercomm[] {dup, clone, informed, later}) {
      Check.equal(remote, copy.getRemoteSize(), "a copy");
      copy.barrier();
      copy.free();
    }
  }

  private static void merged(Intercomm inter, boolean low, Intracomm world) throws MPIException {
    Intracomm merged = inter.merge(low);
    int size = world.getSize();
    int lower = size / 2;
    Check.equal(size, merged.getSize(), "merge");
    Check.equal(low ? inter.getRank() + size - lower : inter.getRank(), merged.getRank(), "those that are high follow");
    int[] sum = {world.getRank()};
    merged.allReduce(sum, 1, MPI.INT, MPI.SUM);
    Check.equal(size * (size - 1) / 2, sum[0], "sum over both sides");
    merged.free();
  }
}
