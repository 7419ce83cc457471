// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.GraphComm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.UserFunction;

/** Calls at the edge: without elements, without memory where none is used, with one array for both sides. */
final class EdgeProgram {
  private EdgeProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    nothing();
    notUsed();
    sameArray();
    slices();
    emptyTypes();
    garbage();
    members();
    noPartner();
    userFunctions();
    sides();
  }

  private static void nothing() throws MPIException {
    int[] zeros = new int[size];
    world.bcast(null, 0, MPI.INT, 0);
    world.gather(null, 0, MPI.INT, null, 0, MPI.INT, 0);
    world.scatter(null, 0, MPI.INT, null, 0, MPI.INT, 0);
    world.allGather(null, 0, MPI.INT, null, 0, MPI.INT);
    world.allToAll(null, 0, MPI.INT, null, 0, MPI.INT);
    world.allGatherv(null, 0, MPI.INT, null, zeros, zeros, MPI.INT);
    world.gatherv(null, 0, MPI.INT, null, zeros, zeros, MPI.INT, 0);
    world.allToAllv(null, zeros, zeros, MPI.INT, null, zeros, zeros, MPI.INT);
    world.reduce(null, null, 0, MPI.INT, MPI.SUM, 0);
    world.allReduce(null, null, 0, MPI.INT, MPI.SUM);
    world.reduceScatter(null, null, zeros, MPI.INT, MPI.SUM);
    world.scan(null, null, 0, MPI.INT, MPI.SUM);
    Request.waitAll(new Request[] {
        world.iBcast(null, 0, MPI.INT, 0),
        world.iAllReduce(null, null, 0, MPI.INT, MPI.SUM),
        world.iAllToAllv(null, zeros, zeros, MPI.INT, null, zeros, zeros, MPI.INT)});
    Datatype[] types = new Datatype[size];
    Arrays.fill(types, MPI.INT);
    world.allToAllw(MPI.newByteBuffer(0), zeros, zeros, types, MPI.newByteBuffer(0), zeros, zeros, types);
    int[] got = new int[1];
    world.sendRecv(got, 0, MPI.INT, (rank + 1) % size, 1, got, 1, MPI.INT, (rank + size - 1) % size, 1);
  }

  private static void notUsed() throws MPIException {
    boolean root = rank == size - 1;
    IntBuffer one = MPI.newIntBuffer(1).put(0, rank);
    IntBuffer all = root ? MPI.newIntBuffer(size) : null;
    int[] counts = root ? new int[size] : null;
    int[] places = root ? new int[size] : null;
    if (root) {
      Arrays.fill(counts, 1);
      Arrays.setAll(places, i -> i);
    }
    int last = size - 1;
    world.iGather(one, 1, MPI.INT, all, root ? 1 : 0, root ? MPI.INT : null, last).waitFor();
    if (root) {
      Check.equal(last, all.get(last), "iGather");
      all.put(0, -1);
    }
    world.iGatherv(one, 1, MPI.INT, all, counts, places, MPI.INT, last).waitFor();
    if (root) {
      Check.equal(0, all.get(0), "iGatherv");
    }
    IntBuffer got = MPI.newIntBuffer(1);
    world.iScatter(all, 1, MPI.INT, got, 1, MPI.INT, last).waitFor();
    Check.equal(rank, got.get(0), "iScatter");
    got.put(0, -1);
    world.iScatterv(all, counts, places, MPI.INT, got, 1, MPI.INT, last).waitFor();
    Check.equal(rank, got.get(0), "iScatterv");
    world.iReduce(one, root ? MPI.newIntBuffer(1) : null, 1, MPI.INT, MPI.SUM, last).waitFor();
  }

  /** The original lets a program name one array as both arguments. */
  private static void sameArray() throws MPIException {
    int[] both = {rank, 1};
    world.allReduce(both, both, 2, MPI.INT, MPI.SUM);
    Check.ints("allReduce within one array", both, size * (size - 1) / 2, size);
    int[] scan = {rank + 1};
    world.scan(scan, scan, 1, MPI.INT, MPI.SUM);
    Check.equal((rank + 1) * (rank + 2) / 2, scan[0], "scan within one array");
    int[] ring = {rank};
    world.sendRecv(ring, 1, MPI.INT, (rank + 1) % size, 1, ring, 1, MPI.INT, (rank + size - 1) % size, 1);
    Check.equal((rank + size - 1) % size, ring[0], "sendRecv within one array");
  }

  /** Blocks of all ranks within parts of arrays and buffers; displacements may lead below a part. */
  private static void slices() throws MPIException {
    int[] table = new int[size + 3];
    Arrays.setAll(table, i -> 10 * rank + i - 2);
    int[] got = new int[size + 3];
    world.allToAll(MPI.slice(table, 2), 1, MPI.INT, MPI.slice(got, 1), 1, MPI.INT);
    for (int i = 0; i < size; i++) {
      Check.equal(10 * i + rank, got[i + 1], "allToAll between slices");
    }
    IntBuffer direct = MPI.newIntBuffer(size + 3);
    world.gather(MPI.slice(table, 2), 1, MPI.INT, MPI.slice(direct, 3), 1, MPI.INT, 0);
    int[] mine = new int[2];
    world.scatter(MPI.slice(direct, 3), 1, MPI.INT, MPI.slice(mine, 1), 1, MPI.INT, 0);
    Check.ints("gather and scatter of slices", mine, 0, 10 * rank);
    int[] ones = new int[size];
    Arrays.fill(ones, 1);
    int[] below = new int[size];
    Arrays.setAll(below, i -> -i);
    int[] all = new int[size];
    world.allGatherv(new int[] {rank + 1}, 1, MPI.INT, MPI.slice(all, size - 1), ones, below, MPI.INT);
    for (int i = 0; i < size; i++) {
      Check.equal(i + 1, all[size - 1 - i], "allGatherv below a slice of an array");
    }
    IntBuffer buffer = MPI.newIntBuffer(size);
    world.iAllGatherv(MPI.newIntBuffer(1).put(0, rank + 1), 1, MPI.INT, MPI.slice(buffer, size - 1), ones, below,
        MPI.INT).waitFor();
    for (int i = 0; i < size; i++) {
      Check.equal(i + 1, buffer.get(size - 1 - i), "iAllGatherv below a slice of a buffer");
    }
    ByteBuffer from = MPI.newByteBuffer(4 * size);
    ByteBuffer to = MPI.newByteBuffer(4 * size);
    int[] bytesBelow = new int[size];
    Datatype[] types = new Datatype[size];
    for (int i = 0; i < size; i++) {
      bytesBelow[i] = -4 * i;
      types[i] = MPI.INT;
      from.putInt(4 * (size - 1 - i), 10 * rank + i);
    }
    int last = 4 * (size - 1);
    world.allToAllw(
        MPI.slice(from, last), ones, bytesBelow, types, MPI.slice(to, last), ones, bytesBelow, types);
    for (int i = 0; i < size; i++) {
      Check.equal(10 * i + rank, to.getInt(4 * (size - 1 - i)), "allToAllw below slices");
    }
  }

  private static void emptyTypes() throws MPIException {
    Datatype none = Datatype.createIndexed(new int[0], new int[0], MPI.INT);
    none.commit();
    Check.equal(0, none.getSize(), "size of an empty type");
    Check.equal(0, none.getExtent(), "extent of an empty type");
    Datatype struct = Datatype.createStruct(new int[0], new int[0], new Datatype[0]);
    struct.commit();
    Check.equal(0, struct.getSize(), "size of an empty struct");
    int[] untouched = {5};
    world.sendRecv(untouched, 3, none, rank, 1, untouched, 1, none, rank, 1);
    Check.equal(5, untouched[0], "nothing is received");
    none.free();
    struct.free();
    Datatype holes = Datatype.createIndexed(new int[] {1, 0, 1}, new int[] {0, 50, 2}, MPI.INT);
    holes.commit();
    int[] got = new int[2];
    world.sendRecv(new int[] {1, 2, 3}, 1, holes, rank, 1, got, 2, MPI.INT, rank, 1);
    Check.ints("a block without elements", got, 1, 3);
    holes.free();
  }

  /** A request keeps its memory. */
  private static void garbage() throws MPIException {
    int length = 30_000;
    LongBuffer in = MPI.newLongBuffer(length);
    Request receive = world.iRecv(in, length, MPI.LONG, (rank + size - 1) % size, 8);
    Request send = started(length);
    byte[][] waste = new byte[20][];
    for (int i = 0; i < waste.length; i++) {
      waste[i] = new byte[100_000];
    }
    System.gc();
    receive.waitFor();
    send.waitFor();
    for (int i = 0; i < length; i += 1000) {
      Check.equal((long) i, in.get(i), "element " + i + " of a buffer that nobody else knows");
    }
  }

  private static Request started(int length) throws MPIException {
    LongBuffer out = MPI.newLongBuffer(length);
    for (int i = 0; i < length; i++) {
      out.put(i, i);
    }
    return world.isSend(out, length, MPI.LONG, (rank + 1) % size, 8);
  }

  private static void members() throws MPIException {
    Group all = world.getGroup();
    Group even = all.rangeIncl(new int[][] {{0, size - 1, 2}});
    if (rank % 2 == 0) {
      Intracomm part = world.createGroup(even, 3); // the others do not call
      Check.equal((size + 1) / 2, part.getSize(), "createGroup by its members");
      part.barrier();
      part.free();
    }
    GraphComm one = world.createGraph(new int[] {0}, new int[0], false);
    Check.equal(rank != 0, one.isNull(), "a graph of one node is null elsewhere");
    if (rank == 0) {
      Check.equal(0, one.getNeighbors(0).length, "neighbours of a node alone");
      one.free();
    }
    even.free();
    all.free();
    Intracomm none = world.splitType(MPI.UNDEFINED, 0, MPI.INFO_NULL);
    Check.that(none.isNull(), "splitType without a type");
  }

  private static void noPartner() throws MPIException {
    Prequest send = world.sendInit(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 1);
    Prequest receive = world.recvInit(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 1);
    for (int i = 0; i < 2; i++) {
      Prequest.startAll(new Prequest[] {send, receive});
      Check.equal(MPI.PROC_NULL, receive.waitStatus().getSource(), "source of a persistent receive from nobody");
      send.waitFor();
    }
    send.free();
    receive.free();
    Request request = world.iRecv(null, 0, MPI.INT, MPI.PROC_NULL, 1);
    Check.equal(0, request.waitStatus().getCount(MPI.INT), "a receive from nobody");
  }

  /** Functions on arrays of all kinds, in all reductions. */
  private static void userFunctions() throws MPIException {
    Op or = new Op(new UserFunction() {
      @Override
      public void call(Object in, Object inOut, int count, Datatype type) {
        boolean[] left = (boolean[]) in;
        boolean[] right = (boolean[]) inOut;
        for (int i = 0; i < count; i++) {
          right[i] |= left[i];
        }
      }
    }, true);
    boolean[] flags = {rank == 0, false};
    world.allReduce(flags, 2, MPI.BOOLEAN, or);
    Check.that(flags[0] && !flags[1], "a function on booleans");
    or.free();
    Op largest = new Op(new UserFunction() {
      @Override
      public void call(Object in, Object inOut, int count, Datatype type) {
        for (int i = 0; i < count; i++) {
          if (in instanceof double[] left) {
            ((double[]) inOut)[i] = Math.max(left[i], ((double[]) inOut)[i]);
          } else if (in instanceof char[] left) {
            ((char[]) inOut)[i] = (char) Math.max(left[i], ((char[]) inOut)[i]);
          } else {
            ((byte[]) inOut)[i] = (byte) Math.max(((byte[]) in)[i], ((byte[]) inOut)[i]);
          }
        }
      }
    }, true);
    double[] doubles = {rank, -rank};
    world.reduce(doubles, 2, MPI.DOUBLE, largest, 0);
    if (rank == 0) {
      Check.equal(new double[] {size - 1, 0}, doubles, "a function on doubles");
    }
    char[] chars = new char[size];
    Arrays.fill(chars, (char) ('a' + rank));
    char[] mine = new char[1];
    world.reduceScatterBlock(chars, mine, 1, MPI.CHAR, largest);
    Check.equal((char) ('a' + size - 1), mine[0], "a function on characters");
    byte[] bytes = {0, (byte) rank};
    world.scan(MPI.slice(bytes, 1), 1, MPI.BYTE, largest);
    Check.equal((byte) rank, bytes[1], "a function on a slice of bytes");
    ByteBuffer direct = MPI.newByteBuffer(1).put(0, (byte) rank);
    world.iAllReduce(direct, 1, MPI.BYTE, largest).waitFor();
    Check.equal((byte) (size - 1), direct.get(0), "a function on arrays for a direct buffer");
    largest.free();
  }

  /** Rooted calls between two groups: the root, the others of its group, and the other group. */
  private static void sides() throws MPIException {
    if (size == 1) {
      return;
    }
    boolean low = rank < size / 2;
    Intracomm half = world.split(low ? 0 : 1, rank);
    Intercomm inter = world.createIntercomm(half, 0, low ? size / 2 : 0, 4);
    int remote = inter.getRemoteSize();
    boolean isRoot = low && half.getRank() == 0;
    int root = low ? isRoot ? MPI.ROOT : MPI.PROC_NULL : 0;
    int[] sum = new int[1];
    inter.reduce(low ? null : new int[] {2}, isRoot ? sum : null, 1, MPI.INT, MPI.SUM, root);
    Check.equal(isRoot ? 2 * remote : 0, sum[0], "reduce to the other side");
    int[] table = new int[remote];
    Arrays.setAll(table, i -> 30 + i);
    int[] got = new int[1];
    inter.scatter(isRoot ? table : null, 1, MPI.INT, low ? null : got, 1, MPI.INT, root);
    Check.equal(low ? 0 : 30 + half.getRank(), got[0], "scatter to the other side");
    int[] counts = new int[remote];
    Arrays.fill(counts, 1);
    int[] places = new int[remote];
    Arrays.setAll(places, i -> i);
    int[] gathered = new int[remote];
    inter.gatherv(new int[] {half.getRank() + 7}, 1, MPI.INT, gathered, counts, places, MPI.INT, root);
    Check.equal(isRoot ? remote + 6 : 0, gathered[remote - 1], "gatherv from the other side");
    int[] all = new int[remote];
    inter.allGatherv(new int[] {half.getRank() + (low ? 1 : 2)}, 1, MPI.INT, all, counts, places, MPI.INT);
    Check.equal(remote - 1 + (low ? 2 : 1), all[remote - 1], "allGatherv from the other side");
    int[] blocks = new int[remote];
    Arrays.fill(blocks, half.getRank());
    int[] exchanged = new int[remote];
    inter.allToAll(blocks, 1, MPI.INT, exchanged, 1, MPI.INT);
    for (int i = 0; i < remote; i++) {
      Check.equal(i, exchanged[i], "allToAll with the other side");
    }
    inter.iBarrier().waitFor();
    inter.free();
    half.free();
  }
}
