// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** All nonblocking collectives, started together and awaited together; direct buffers and buffers on the heap. */
final class NonblockingCollectiveProgram {
  private NonblockingCollectiveProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    moves(true);
    moves(false);
    inPlace();
    vectors();
    types();
    reductions(true);
    reductions(false);
    reductionsInPlace();
  }

  private static IntBuffer ints(boolean direct, int length) {
    return direct ? MPI.newIntBuffer(length) : IntBuffer.allocate(length);
  }

  private static void moves(boolean direct) throws MPIException {
    int root = size - 1;
    IntBuffer told = ints(direct, 2);
    if (rank == root) {
      told.put(0, 5).put(1, 6);
    }
    IntBuffer mine = ints(direct, 1).put(0, rank + 1);
    IntBuffer gathered = ints(direct, size);
    IntBuffer table = ints(direct, size);
    for (int i = 0; i < size; i++) {
      table.put(i, 10 * rank + i);
    }
    IntBuffer scattered = ints(direct, 1);
    IntBuffer all = ints(direct, size);
    IntBuffer exchanged = ints(direct, size);
    Request[] requests = {
        world.iBarrier(),
        world.iBcast(told, 2, MPI.INT, root),
        world.iGather(mine, 1, MPI.INT, gathered, 1, MPI.INT, root),
        world.iScatter(table, 1, MPI.INT, scattered, 1, MPI.INT, root),
        world.iAllGather(mine, 1, MPI.INT, all, 1, MPI.INT),
        world.iAllToAll(table, 1, MPI.INT, exchanged, 1, MPI.INT)};
    Request.waitAll(requests);
    Check.that(told.get(0) == 5 && told.get(1) == 6, "iBcast");
    Check.equal(10 * root + rank, scattered.get(0), "iScatter");
    for (int i = 0; i < size; i++) {
      Check.equal(rank == root ? i + 1 : 0, gathered.get(i), "iGather");
      Check.equal(i + 1, all.get(i), "iAllGather");
      Check.equal(10 * i + rank, exchanged.get(i), "iAllToAll");
    }
  }

  private static void inPlace() throws MPIException {
    IntBuffer gathered = MPI.newIntBuffer(size);
    gathered.put(rank == 0 ? rank : 0, rank + 1);
    IntBuffer scattered = MPI.newIntBuffer(size);
    if (rank == 0) {
      for (int i = 0; i < size; i++) {
        scattered.put(i, 20 + i);
      }
    }
    IntBuffer all = IntBuffer.allocate(size);
    all.put(rank, rank + 1);
    Request.waitAll(new Request[] {
        world.iGather(gathered, 1, MPI.INT, 0),
        world.iScatter(scattered, 1, MPI.INT, 0),
        world.iAllGather(all, 1, MPI.INT)});
    Check.equal(20 + rank, scattered.get(rank == 0 ? rank : 0), "iScatter in place");
    for (int i = 0; i < size; i++) {
      Check.equal(i + 1, all.get(i), "iAllGather in place");
      if (rank == 0) {
        Check.equal(i + 1, gathered.get(i), "iGather in place");
      }
    }
  }

  /** Rank i has i + 1 elements. The arrays are longer than needed. */
  private static void vectors() throws MPIException {
    int[] counts = new int[size + 1];
    int[] displacements = new int[size + 1];
    for (int i = 0; i < size; i++) {
      counts[i] = i + 1;
      displacements[i + 1] = displacements[i] + i + 1;
    }
    int total = displacements[size];
    LongBuffer mine = MPI.newLongBuffer(size + 1);
    LongBuffer table = MPI.newLongBuffer(total);
    for (int i = 0; i < total; i++) {
      table.put(i, i);
    }
    for (int i = 0; i <= rank; i++) {
      mine.put(i, displacements[rank] + i);
    }
    LongBuffer gathered = MPI.newLongBuffer(total);
    LongBuffer scattered = MPI.newLongBuffer(rank + 1);
    LongBuffer all = LongBuffer.allocate(total);
    LongBuffer allInPlace = MPI.newLongBuffer(total);
    LongBuffer rootsOwn = MPI.newLongBuffer(total);
    for (int i = 0; i <= rank; i++) {
      allInPlace.put(displacements[rank] + i, displacements[rank] + i);
      rootsOwn.put(displacements[rank] + i, displacements[rank] + i);
    }
    LongBuffer again = MPI.newLongBuffer(rank + 1);
    boolean root = rank == 0;
    Request[] requests = {
        world.iGatherv(mine, rank + 1, MPI.LONG, gathered, counts, displacements, MPI.LONG, 0),
        root ? world.iGatherv(rootsOwn, counts, displacements, MPI.LONG, 0)
            : world.iGatherv(mine, rank + 1, MPI.LONG, 0),
        world.iScatterv(table, counts, displacements, MPI.LONG, scattered, rank + 1, MPI.LONG, 0),
        root ? world.iScatterv(table, counts, displacements, MPI.LONG, 0)
            : world.iScatterv(again, rank + 1, MPI.LONG, 0),
        world.iAllGatherv(mine, rank + 1, MPI.LONG, all, counts, displacements, MPI.LONG),
        world.iAllGatherv(allInPlace, counts, displacements, MPI.LONG)};
    Request.waitAll(requests);
    for (int i = 0; i < total; i++) {
      Check.equal((long) i, all.get(i), "iAllGatherv");
      Check.equal((long) i, allInPlace.get(i), "iAllGatherv in place");
      if (root) {
        Check.equal((long) i, gathered.get(i), "iGatherv");
        Check.equal((long) i, rootsOwn.get(i), "iGatherv in place");
      }
    }
    for (int i = 0; i <= rank; i++) {
      Check.equal((long) displacements[rank] + i, scattered.get(i), "iScatterv");
      Check.equal(root ? 0L : (long) displacements[rank] + i, again.get(i), "iScatterv in place");
    }
  }

  private static void types() throws MPIException {
    int[] ones = new int[size];
    int[] places = new int[size];
    int[] bytes = new int[size];
    Datatype[] types = new Datatype[size];
    IntBuffer from = MPI.newIntBuffer(size);
    ByteBuffer fromBytes = MPI.newByteBuffer(4 * size);
    for (int i = 0; i < size; i++) {
      ones[i] = 1;
      places[i] = size - 1 - i;
      bytes[i] = 4 * (size - 1 - i);
      types[i] = MPI.INT;
      from.put(places[i], 10 * rank + i);
      fromBytes.putInt(bytes[i], 10 * rank + i);
    }
    IntBuffer to = MPI.newIntBuffer(size);
    ByteBuffer toBytes = MPI.newByteBuffer(4 * size);
    Request first = world.iAllToAllv(from, ones, places, MPI.INT, to, ones, places, MPI.INT);
    Request second = world.iAllToAllw(fromBytes, ones, bytes, types, toBytes, ones, bytes, types);
    second.waitFor();
    first.waitFor();
    for (int i = 0; i < size; i++) {
      Check.equal(10 * i + rank, to.get(places[i]), "iAllToAllv");
      Check.equal(10 * i + rank, toBytes.getInt(bytes[i]), "iAllToAllw");
    }
  }

  private static int sumTo(int last) {
    return last * (last + 1) / 2;
  }

  private static void reductions(boolean direct) throws MPIException {
    int[] counts = new int[size + 2];
    java.util.Arrays.fill(counts, 1);
    IntBuffer mine = ints(direct, size);
    for (int i = 0; i < size; i++) {
      mine.put(i, rank + i);
    }
    IntBuffer reduced = ints(direct, size);
    IntBuffer all = ints(direct, size);
    IntBuffer part = ints(direct, 1);
    IntBuffer block = ints(direct, 1);
    IntBuffer scan = ints(direct, size);
    IntBuffer before = ints(direct, size);
    Request.waitAll(new Request[] {
        world.iReduce(mine, reduced, size, MPI.INT, MPI.SUM, 0),
        world.iAllReduce(mine, all, size, MPI.INT, MPI.MAX),
        world.iReduceScatter(mine, part, counts, MPI.INT, MPI.SUM),
        world.iReduceScatterBlock(mine, block, 1, MPI.INT, MPI.SUM),
        world.iScan(mine, scan, size, MPI.INT, MPI.SUM),
        world.iExScan(mine, before, size, MPI.INT, MPI.SUM)});
    Check.equal(sumTo(size - 1) + size * rank, part.get(0), "iReduceScatter");
    Check.equal(sumTo(size - 1) + size * rank, block.get(0), "iReduceScatterBlock");
    for (int i = 0; i < size; i++) {
      Check.equal(rank == 0 ? sumTo(size - 1) + size * i : 0, reduced.get(i), "iReduce");
      Check.equal(size - 1 + i, all.get(i), "iAllReduce");
      Check.equal(sumTo(rank) + (rank + 1) * i, scan.get(i), "iScan");
      if (rank > 0) {
        Check.equal(sumTo(rank - 1) + rank * i, before.get(i), "iExScan");
      }
    }
  }

  private static IntBuffer ranks() {
    IntBuffer buffer = MPI.newIntBuffer(size);
    for (int i = 0; i < size; i++) {
      buffer.put(i, rank + i);
    }
    return buffer;
  }

  private static void reductionsInPlace() throws MPIException {
    int[] counts = new int[size];
    java.util.Arrays.fill(counts, 1);
    IntBuffer reduced = ranks();
    IntBuffer all = ranks();
    IntBuffer part = ranks();
    IntBuffer block = ranks();
    IntBuffer scan = ranks();
    IntBuffer before = ranks();
    Request.waitAll(new Request[] {
        world.iReduce(reduced, size, MPI.INT, MPI.SUM, 0),
        world.iAllReduce(all, size, MPI.INT, MPI.SUM),
        world.iReduceScatter(part, counts, MPI.INT, MPI.SUM),
        world.iReduceScatterBlock(block, 1, MPI.INT, MPI.SUM),
        world.iScan(scan, size, MPI.INT, MPI.SUM),
        world.iExScan(before, size, MPI.INT, MPI.SUM)});
    Check.equal(sumTo(size - 1) + size * rank, part.get(0), "iReduceScatter in place");
    Check.equal(sumTo(size - 1) + size * rank, block.get(0), "iReduceScatterBlock in place");
    for (int i = 0; i < size; i++) {
      if (rank == 0) {
        Check.equal(sumTo(size - 1) + size * i, reduced.get(i), "iReduce in place");
      } else {
        Check.equal(sumTo(rank - 1) + rank * i, before.get(i), "iExScan in place");
      }
      Check.equal(sumTo(size - 1) + size * i, all.get(i), "iAllReduce in place");
      Check.equal(sumTo(rank) + (rank + 1) * i, scan.get(i), "iScan in place");
    }
  }
}
