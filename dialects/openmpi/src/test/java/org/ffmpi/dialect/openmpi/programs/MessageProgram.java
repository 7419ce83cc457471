// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Request;
import mpi.Status;

/** Matched probes: a message that has been found is received by nobody else. */
final class MessageProgram {
  private MessageProgram() {}

  static void run() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    Message message = new Message();
    Check.that(message.isNull() && !message.isNoProc(), "a new message");
    Check.equal(null, message.imProbe(previous, 20, world), "imProbe without a message");
    Check.that(message.isNull(), "imProbe without a message leaves none");

    Request first = world.iSend(IntBuffer.wrap(new int[] {rank, 1}), 2, MPI.INT, next, 21);
    Request second = world.iSend(IntBuffer.wrap(new int[] {rank, 2, 3}), 3, MPI.INT, next, 21);
    Status status = message.mProbe(previous, 21, world);
    Check.that(!message.isNull(), "mProbe finds a message");
    Check.equal(2, status.getCount(MPI.INT), "count of mProbe");
    Check.equal(previous, status.getSource(), "source of mProbe");

    Message other = new Message();
    Status found = other.imProbe(MPI.ANY_SOURCE, 21, world);
    while (found == null) {
      found = other.imProbe(MPI.ANY_SOURCE, 21, world);
    }
    Check.equal(3, found.getCount(MPI.INT), "count of imProbe");
    Check.that(!other.isNull(), "imProbe finds a message");
    IntBuffer later = MPI.newIntBuffer(3);
    Status end = other.imRecv(later, 3, MPI.INT).waitStatus();
    Check.equal(3, end.getCount(MPI.INT), "count of imRecv");
    Check.equal(3, later.get(2), "imRecv");
    int[] got = new int[2];
    Status received = message.mRecv(got, 2, MPI.INT);
    Check.equal(21, received.getTag(), "tag of mRecv");
    Check.ints("mRecv", got, previous, 1);
    Check.that(message.isNull(), "mRecv ends the message");
    first.waitFor();
    second.waitFor();

    Status nobody = message.mProbe(MPI.PROC_NULL, 21, world);
    Check.that(message.isNoProc(), "a message of PROC_NULL");
    Check.equal(MPI.PROC_NULL, nobody.getSource(), "source of PROC_NULL");
    Check.equal(0, message.mRecv(got, 2, MPI.INT).getCount(MPI.INT), "nothing from PROC_NULL");
  }
}
