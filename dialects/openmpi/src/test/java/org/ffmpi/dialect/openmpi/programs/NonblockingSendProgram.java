// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Nonblocking sends and receives in all modes, with direct buffers and with buffers on the heap. */
final class NonblockingSendProgram {
  private NonblockingSendProgram() {}

  static void run() throws MPIException {
    modes(true);
    modes(false);
    cancel();
    wrapped();
  }

  private static LongBuffer buffer(boolean direct, int length) {
    return direct ? MPI.newLongBuffer(length) : LongBuffer.allocate(length);
  }

  private static void modes(boolean direct) throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int length = 1000;
    for (int mode = 0; mode < 4; mode++) {
      Request[] receives = new Request[size];
      LongBuffer[] got = new LongBuffer[size];
      for (int i = 0; i < size; i++) {
        got[i] = buffer(direct, length);
        receives[i] = world.iRecv(got[i], length, MPI.LONG, i, 100 + mode);
      }
      world.barrier();
      Request[] sends = new Request[size];
      LongBuffer mine = buffer(direct, length);
      for (int i = 0; i < length; i++) {
        mine.put(i, rank * 1_000_000L + i);
      }
      for (int i = 0; i < size; i++) {
        sends[i] = mode == 0 ? world.iSend(mine, length, MPI.LONG, i, 100)
            : mode == 1 ? world.ibSend(mine, length, MPI.LONG, i, 101)
            : mode == 2 ? world.isSend(mine, length, MPI.LONG, i, 102)
            : world.irSend(mine, length, MPI.LONG, i, 103);
      }
      Status[] statuses = Request.waitAllStatus(receives);
      Request.waitAll(sends);
      for (int i = 0; i < size; i++) {
        Check.equal(i, statuses[i].getSource(), "source in mode " + mode);
        Check.equal(length, statuses[i].getCount(MPI.LONG), "count in mode " + mode);
        Check.equal(i * 1_000_000L + length - 1, got[i].get(length - 1), "last element in mode " + mode);
        Check.equal(i * 1_000_000L, got[i].get(0), "first element in mode " + mode);
        Check.that(receives[i].isNull() && sends[i].isNull(), "completed requests are null");
      }
    }
  }

  private static void cancel() throws MPIException {
    Request receive = MPI.COMM_WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.COMM_WORLD.getRank(), 999);
    Check.that(!receive.test(), "no message has come");
    receive.cancel();
    Status status = receive.waitStatus();
    Check.that(status.isCancelled(), "a cancelled receive");
  }

  /** A view of a byte buffer, and a buffer over an array, are as good as any. */
  private static void wrapped() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    IntBuffer view = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer();
    int[] array = new int[4];
    Request receive = world.iRecv(MPI.slice(array, 1), 3, MPI.INT, rank, 5);
    view.put(0, 1).put(1, 2).put(2, 3);
    Request send = world.iSend(view, 3, MPI.INT, rank, 5);
    Request.waitAll(new Request[] {send, receive});
    Check.ints("a receive into a slice of an array", array, 0, 1, 2, 3);
  }
}
