// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Blocking sends and receives in all modes, round a ring; probes. */
final class SendProgram {
  private static final int TAG = 11;

  private SendProgram() {}

  private static Comm world;
  private static int next;
  private static int previous;
  private static int rank;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    int size = world.getSize();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    modes();
    bothWays();
    kinds();
    processNull();
    probes();
    order();
    longMessages();
  }

  private static void modes() throws MPIException {
    int[] mine = {rank, rank * rank, -rank};
    int[] expected = {previous, previous * previous, -previous};
    for (int mode = 0; mode < 4; mode++) {
      IntBuffer got = MPI.newIntBuffer(3);
      Request receive = world.iRecv(got, 3, MPI.INT, previous, TAG + mode);
      world.barrier();
      if (mode == 0) {
        world.send(mine, 3, MPI.INT, next, TAG);
      } else if (mode == 1) {
        world.bSend(mine, 3, MPI.INT, next, TAG + 1);
      } else if (mode == 2) {
        world.sSend(mine, 3, MPI.INT, next, TAG + 2);
      } else {
        world.rSend(mine, 3, MPI.INT, next, TAG + 3);
      }
      Status status = receive.waitStatus();
      Check.equal(previous, status.getSource(), "source in mode " + mode);
      Check.equal(TAG + mode, status.getTag(), "tag in mode " + mode);
      Check.equal(3, status.getCount(MPI.INT), "count in mode " + mode);
      Check.ints("message in mode " + mode, new int[] {got.get(0), got.get(1), got.get(2)}, expected);
    }
    // Small buffered sends need no buffer, and no receive that waits.
    world.bSend(mine, 3, MPI.INT, next, TAG + 4);
    int[] got = new int[5];
    Status status = world.recv(got, 5, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
    Check.equal(TAG + 4, status.getTag(), "tag with ANY_TAG");
    Check.equal(previous, status.getSource(), "source with ANY_SOURCE");
    Check.equal(3, status.getCount(MPI.INT), "count of a message shorter than the array");
    Check.ints("message shorter than the array", got, expected[0], expected[1], expected[2], 0, 0);
  }

  private static void bothWays() throws MPIException {
    double[] mine = {rank + 0.5, rank + 0.25};
    double[] got = new double[2];
    Status status = world.sendRecv(mine, 2, MPI.DOUBLE, next, TAG, got, 2, MPI.DOUBLE, previous, TAG);
    Check.equal(previous, status.getSource(), "source of sendRecv");
    Check.equal(new double[] {previous + 0.5, previous + 0.25}, got, "sendRecv");
    Status replaced = world.sendRecvReplace(mine, 2, MPI.DOUBLE, next, TAG, previous, TAG);
    Check.equal(2, replaced.getCount(MPI.DOUBLE), "count of sendRecvReplace");
    Check.equal(new double[] {previous + 0.5, previous + 0.25}, mine, "sendRecvReplace");
    ByteBuffer bytes = ByteBuffer.allocate(4).put(0, (byte) rank);
    world.sendRecvReplace(bytes, 4, MPI.BYTE, next, TAG, previous, TAG);
    Check.equal((byte) previous, bytes.get(0), "sendRecvReplace in a heap buffer");
  }

  private static void kinds() throws MPIException {
    ring(new byte[] {(byte) rank, -1}, new byte[2], new byte[] {(byte) previous, -1}, MPI.BYTE);
    ring(new char[] {(char) rank, '\uffff'}, new char[2], new char[] {(char) previous, '\uffff'}, MPI.CHAR);
    ring(new short[] {(short) rank, -1}, new short[2], new short[] {(short) previous, -1}, MPI.SHORT);
    ring(new boolean[] {rank == 0, true}, new boolean[2], new boolean[] {previous == 0, true}, MPI.BOOLEAN);
    ring(new int[] {rank, -1}, new int[2], new int[] {previous, -1}, MPI.INT);
    ring(new long[] {rank, -1}, new long[2], new long[] {previous, -1}, MPI.LONG);
    ring(new float[] {rank, Float.NaN}, new float[2], new float[] {previous, Float.NaN}, MPI.FLOAT);
    ring(new double[] {rank, -0.0}, new double[2], new double[] {previous, -0.0}, MPI.DOUBLE);
  }

  private static void ring(Object from, Object to, Object expected, mpi.Datatype type) throws MPIException {
    Status status = world.sendRecv(from, 2, type, next, TAG, to, 2, type, previous, TAG);
    Check.equal(2, status.getCount(type), "count");
    Check.equal(expected, to, "ring");
  }

  private static void processNull() throws MPIException {
    int[] untouched = {5};
    world.send(untouched, 1, MPI.INT, MPI.PROC_NULL, TAG);
    Status status = world.recv(untouched, 1, MPI.INT, MPI.PROC_NULL, TAG);
    Check.equal(MPI.PROC_NULL, status.getSource(), "source PROC_NULL");
    Check.equal(MPI.ANY_TAG, status.getTag(), "tag of PROC_NULL");
    Check.equal(0, status.getCount(MPI.INT), "count of PROC_NULL");
    Check.equal(5, untouched[0], "nothing is received from PROC_NULL");
    world.send(null, 0, MPI.INT, MPI.PROC_NULL, TAG);
  }

  private static void probes() throws MPIException {
    Check.equal(null, world.iProbe(MPI.ANY_SOURCE, 4711), "iProbe without a message");
    Request send = world.iSend(MPI.newLongBuffer(7), 7, MPI.LONG, next, TAG + 9);
    Status status = world.probe(previous, TAG + 9);
    Check.equal(7, status.getCount(MPI.LONG), "count of probe");
    Check.equal(7, status.getElements(MPI.LONG), "elements of probe");
    Status again = world.iProbe(MPI.ANY_SOURCE, TAG + 9);
    Check.that(again != null && again.getSource() == previous && again.getTag() == TAG + 9, "iProbe");
    long[] got = new long[status.getCount(MPI.LONG)];
    world.recv(got, got.length, MPI.LONG, status.getSource(), status.getTag());
    send.waitFor();
    // Control messages have no memory at all.
    world.sendRecv(null, 0, MPI.BYTE, next, TAG, null, 0, MPI.BYTE, previous, TAG);
  }

  /** Messages of one sender with one tag do not overtake one another. */
  private static void order() throws MPIException {
    Request[] sends = new Request[20];
    for (int i = 0; i < sends.length; i++) {
      sends[i] = world.iSend(IntBuffer.wrap(new int[] {i}), 1, MPI.INT, next, TAG);
    }
    int[] got = new int[1];
    for (int i = 0; i < sends.length; i++) {
      world.recv(got, 1, MPI.INT, previous, TAG);
      Check.equal(i, got[0], "order of messages");
    }
    Request.waitAll(sends);
  }

  private static void longMessages() throws MPIException {
    int length = 50_000;
    double[] mine = new double[length];
    for (int i = 0; i < length; i++) {
      mine[i] = rank + i * 1e-6;
    }
    double[] got = new double[length + 3];
    Status status = world.sendRecv(mine, length, MPI.DOUBLE, next, TAG, got, length + 3, MPI.DOUBLE, previous, TAG);
    Check.equal(length, status.getCount(MPI.DOUBLE), "count of a long message");
    for (int i = 0; i < length; i += 997) {
      Check.equal(previous + i * 1e-6, got[i], "element " + i + " of a long message");
    }
    Check.equal(0.0, got[length], "behind a long message");
  }
}
