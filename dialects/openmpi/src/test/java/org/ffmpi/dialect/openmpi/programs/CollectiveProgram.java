// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;

/** Blocking collectives that move data, also in place, with derived types, and with arrays longer than needed. */
final class CollectiveProgram {
  private CollectiveProgram() {}

  private static Comm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    world.barrier();
    for (int root = 0; root < size; root++) {
      bcast(root);
      gather(root);
      gatherv(root);
      scatter(root);
      scatterv(root);
    }
    allGather();
    allGatherv();
    allToAll();
    allToAllv();
    allToAllw();
    derived();
  }

  private static void bcast(int root) throws MPIException {
    long[] numbers = rank == root ? new long[] {root, 7, -7} : new long[3];
    world.bcast(numbers, 3, MPI.LONG, root);
    Check.equal(new long[] {root, 7, -7}, numbers, "bcast of an array");
    DoubleBuffer direct = MPI.newDoubleBuffer(50_000);
    if (rank == root) {
      direct.put(49_999, root + 0.5);
    }
    world.bcast(direct, 50_000, MPI.DOUBLE, root);
    Check.equal(root + 0.5, direct.get(49_999), "bcast of a direct buffer");
  }

  private static int[] pairs(int first, int last) {
    int[] pairs = new int[2 * (last - first)];
    for (int i = first; i < last; i++) {
      pairs[2 * (i - first)] = i;
      pairs[2 * (i - first) + 1] = i * i;
    }
    return pairs;
  }

  private static void gather(int root) throws MPIException {
    int[] mine = {rank, rank * rank};
    int[] all = rank == root ? new int[2 * size] : null;
    world.gather(mine, 2, MPI.INT, all, 2, MPI.INT, root);
    if (rank == root) {
      Check.ints("gather", all, pairs(0, size));
    }
    IntBuffer buffer = MPI.newIntBuffer(rank == root ? 2 * size : 2);
    world.gather(mine, 2, MPI.INT, buffer, 2, MPI.INT, root);
    if (rank == root) {
      Check.equal((size - 1) * (size - 1), buffer.get(2 * size - 1), "gather into a direct buffer");
    }
    int[] place = new int[2 * size];
    int at = rank == root ? 2 * root : 0;
    place[at] = rank;
    place[at + 1] = rank * rank;
    world.gather(place, 2, MPI.INT, root);
    if (rank == root) {
      Check.ints("gather in place", place, pairs(0, size));
    }
  }

  /** Rank i has i + 1 elements; they lie apart by one more. The arrays are longer than needed. */
  private static int[] counts() {
    int[] counts = new int[size + 2];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = i + 1;
    }
    return counts;
  }

  private static int[] displacements() {
    int[] displacements = new int[size + 3];
    for (int i = 1; i < displacements.length; i++) {
      displacements[i] = displacements[i - 1] + i + 1;
    }
    return displacements;
  }

  private static int[] own() {
    int[] own = new int[rank + 1];
    java.util.Arrays.fill(own, rank + 100);
    return own;
  }

  private static void checkBlocks(String what, int[] all) {
    int[] displacements = displacements();
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        Check.equal(i + 100, all[displacements[i] + j], what + ": element " + j + " of rank " + i);
      }
      Check.equal(0, all[displacements[i] + i + 1], what + ": gap behind the elements of rank " + i);
    }
  }

  private static int[] room() {
    return new int[displacements()[size] + 1];
  }

  private static void gatherv(int root) throws MPIException {
    int[] all = rank == root ? room() : null;
    world.gatherv(own(), rank + 1, MPI.INT, all, counts(), displacements(), MPI.INT, root);
    if (rank == root) {
      checkBlocks("gatherv", all);
      int[] place = room();
      System.arraycopy(own(), 0, place, displacements()[rank], rank + 1);
      world.gatherv(place, counts(), displacements(), MPI.INT, root);
      checkBlocks("gatherv in place", place);
    } else {
      world.gatherv(own(), rank + 1, MPI.INT, root);
    }
  }

  private static void scatter(int root) throws MPIException {
    int[] got = new int[2];
    world.scatter(rank == root ? pairs(0, size) : null, 2, MPI.INT, got, 2, MPI.INT, root);
    Check.ints("scatter", got, rank, rank * rank);
    int[] place = rank == root ? pairs(0, size) : new int[2];
    world.scatter(place, 2, MPI.INT, root);
    if (rank == root) {
      Check.ints("scatter in place leaves the root's array", place, pairs(0, size));
    } else {
      Check.ints("scatter in place", place, rank, rank * rank);
    }
  }

  private static void scatterv(int root) throws MPIException {
    int[] from = room();
    for (int i = 0; i < size; i++) {
      java.util.Arrays.fill(from, displacements()[i], displacements()[i] + i + 1, i + 100);
    }
    int[] got = new int[rank + 1];
    if (rank == root) {
      world.scatterv(from, counts(), displacements(), MPI.INT, got, rank + 1, MPI.INT, root);
      world.scatterv(from, counts(), displacements(), MPI.INT, root);
    } else {
      world.scatterv(null, null, null, MPI.INT, got, rank + 1, MPI.INT, root);
      Check.ints("scatterv", got, own());
      got = new int[rank + 1];
      world.scatterv(got, rank + 1, MPI.INT, root);
    }
    Check.ints("scatterv in place", got, own());
  }

  private static void allGather() throws MPIException {
    char[] mine = {(char) ('a' + rank), (char) rank};
    char[] all = new char[2 * size];
    world.allGather(mine, 2, MPI.CHAR, all, 2, MPI.CHAR);
    for (int i = 0; i < size; i++) {
      Check.that(all[2 * i] == 'a' + i && all[2 * i + 1] == i, "allGather, rank " + i);
    }
    int[] place = new int[2 * size];
    place[2 * rank] = rank;
    place[2 * rank + 1] = rank * rank;
    world.allGather(place, 2, MPI.INT);
    Check.ints("allGather in place", place, pairs(0, size));
    short[] slice = new short[size + 1];
    world.allGather(new short[] {(short) rank}, 1, MPI.SHORT, MPI.slice(slice, 1), 1, MPI.SHORT);
    for (int i = 0; i < size; i++) {
      Check.equal((short) i, slice[i + 1], "allGather into a slice");
    }
  }

  private static void allGatherv() throws MPIException {
    int[] all = room();
    world.allGatherv(own(), rank + 1, MPI.INT, all, counts(), displacements(), MPI.INT);
    checkBlocks("allGatherv", all);
    int[] place = room();
    System.arraycopy(own(), 0, place, displacements()[rank], rank + 1);
    world.allGatherv(place, counts(), displacements(), MPI.INT);
    checkBlocks("allGatherv in place", place);
  }

  private static void allToAll() throws MPIException {
    int[] from = new int[2 * size];
    for (int i = 0; i < size; i++) {
      from[2 * i] = rank;
      from[2 * i + 1] = i;
    }
    int[] to = new int[2 * size];
    world.allToAll(from, 2, MPI.INT, to, 2, MPI.INT);
    for (int i = 0; i < size; i++) {
      Check.that(to[2 * i] == i && to[2 * i + 1] == rank, "allToAll, rank " + i);
    }
  }

  /** Rank r sends r + i elements to rank i. */
  private static void allToAllv() throws MPIException {
    int[] sends = new int[size + 1];
    int[] starts = new int[size + 1];
    int[] receives = new int[size + 1];
    int[] places = new int[size + 1];
    for (int i = 0; i < size; i++) {
      sends[i] = rank + i;
      receives[i] = rank + i;
      starts[i + 1] = starts[i] + sends[i];
      places[i + 1] = places[i] + receives[i];
    }
    float[] from = new float[starts[size]];
    for (int i = 0; i < size; i++) {
      java.util.Arrays.fill(from, starts[i], starts[i + 1], 100 * rank + i);
    }
    float[] to = new float[places[size]];
    world.allToAllv(from, sends, starts, MPI.FLOAT, to, receives, places, MPI.FLOAT);
    for (int i = 0; i < size; i++) {
      for (int j = places[i]; j < places[i + 1]; j++) {
        Check.equal(100f * i + rank, to[j], "allToAllv, rank " + i);
      }
    }
  }

  /** Displacements count bytes; even ranks get ints, odd ones doubles. */
  private static void allToAllw() throws MPIException {
    java.nio.ByteBuffer from = MPI.newByteBuffer(8 * size);
    java.nio.ByteBuffer to = MPI.newByteBuffer(8 * size);
    int[] ones = new int[size];
    int[] bytes = new int[size];
    Datatype[] sendTypes = new Datatype[size];
    Datatype[] receiveTypes = new Datatype[size];
    for (int i = 0; i < size; i++) {
      ones[i] = 1;
      bytes[i] = 8 * i;
      sendTypes[i] = i % 2 == 0 ? MPI.INT : MPI.DOUBLE;
      receiveTypes[i] = rank % 2 == 0 ? MPI.INT : MPI.DOUBLE;
      if (i % 2 == 0) {
        from.putInt(8 * i, 10 * rank + i);
      } else {
        from.putDouble(8 * i, 10 * rank + i + 0.5);
      }
    }
    world.allToAllw(from, ones, bytes, sendTypes, to, ones, bytes, receiveTypes);
    for (int i = 0; i < size; i++) {
      if (rank % 2 == 0) {
        Check.equal(10 * i + rank, to.getInt(8 * i), "allToAllw, int of rank " + i);
      } else {
        Check.equal(10 * i + rank + 0.5, to.getDouble(8 * i), "allToAllw, double of rank " + i);
      }
    }
  }

  /** The root gives each rank a column of its matrix. */
  private static void derived() throws MPIException {
    int rows = 3;
    Datatype column = Datatype.createVector(rows, 1, size, MPI.DOUBLE);
    Datatype columns = Datatype.createResized(column, 0, Double.BYTES);
    columns.commit();
    double[] matrix = new double[rows * size];
    if (rank == 0) {
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] = i;
      }
    }
    double[] mine = new double[rows];
    world.scatter(matrix, 1, columns, mine, rows, MPI.DOUBLE, 0);
    for (int i = 0; i < rows; i++) {
      Check.equal((double) (i * size + rank), mine[i], "row " + i + " of the column");
    }
    double[] back = new double[rows * size];
    world.allGather(mine, rows, MPI.DOUBLE, back, 1, columns);
    for (int i = 0; i < back.length; i++) {
      Check.equal((double) i, back[i], "element " + i + " of the matrix");
    }
    column.free();
    columns.free();
  }
}
