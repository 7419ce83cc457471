// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Blocking reductions, also in place, with all predefined operations. */
final class ReductionProgram {
  private ReductionProgram() {}

  private static Intracomm world;
  private static int rank;
  private static int size;

  static void run() throws MPIException {
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    reduce();
    allReduce();
    scatters();
    scans();
    operations();
    bytes();
    local();
  }

  private static void reduce() throws MPIException {
    for (int root = 0; root < size; root++) {
      double[] mine = {rank, 1};
      double[] sum = new double[2];
      world.reduce(mine, sum, 2, MPI.DOUBLE, MPI.SUM, root);
      if (rank == root) {
        Check.equal(new double[] {size * (size - 1) / 2.0, size}, sum, "reduce");
      } else {
        Check.equal(new double[2], sum, "reduce leaves the others' arrays");
      }
      world.reduce(mine, 2, MPI.DOUBLE, MPI.SUM, root);
      if (rank == root) {
        Check.equal(new double[] {size * (size - 1) / 2.0, size}, mine, "reduce in place");
      } else {
        Check.equal(new double[] {rank, 1}, mine, "reduce in place leaves the others' arrays");
      }
      world.reduce(new int[] {rank}, rank == root ? new int[1] : null, 1, MPI.INT, MPI.MAX, root);
    }
  }

  private static void allReduce() throws MPIException {
    LongBuffer mine = MPI.newLongBuffer(3);
    LongBuffer result = MPI.newLongBuffer(3);
    mine.put(0, rank).put(1, -rank).put(2, 1L << rank);
    world.allReduce(mine, result, 3, MPI.LONG, MPI.MAX);
    Check.that(result.get(0) == size - 1 && result.get(1) == 0 && result.get(2) == 1L << size - 1, "allReduce");
    world.allReduce(mine, 3, MPI.LONG, MPI.SUM);
    Check.that(mine.get(0) == size * (size - 1) / 2 && mine.get(2) == (1L << size) - 1, "allReduce in place");
    float[] array = new float[40_000];
    java.util.Arrays.fill(array, rank + 1);
    float[] sums = new float[40_000];
    world.allReduce(array, sums, 40_000, MPI.FLOAT, MPI.SUM);
    Check.equal(size * (size + 1) / 2f, sums[39_999], "allReduce of a long array");
    short[] slice = {0, (short) rank};
    world.allReduce(MPI.slice(slice, 1), 1, MPI.SHORT, MPI.SUM);
    Check.equal((short) (size * (size - 1) / 2), slice[1], "allReduce of a slice in place");
  }

  private static void scatters() throws MPIException {
    int[] counts = new int[size + 1];
    int total = 0;
    for (int i = 0; i < size; i++) {
      counts[i] = i + 1;
      total += i + 1;
    }
    int[] mine = new int[total];
    for (int i = 0; i < total; i++) {
      mine[i] = rank + i;
    }
    int first = rank * (rank + 1) / 2;
    int ranks = size * (size - 1) / 2;
    int[] part = new int[rank + 1];
    world.reduceScatter(mine, part, counts, MPI.INT, MPI.SUM);
    for (int i = 0; i <= rank; i++) {
      Check.equal(ranks + size * (first + i), part[i], "reduceScatter");
    }
    int[] place = mine.clone();
    world.reduceScatter(place, counts, MPI.INT, MPI.SUM);
    for (int i = 0; i <= rank; i++) {
      Check.equal(ranks + size * (first + i), place[i], "reduceScatter in place");
    }
    int[] blocks = new int[2 * size];
    for (int i = 0; i < 2 * size; i++) {
      blocks[i] = rank + i;
    }
    int[] block = new int[2];
    world.reduceScatterBlock(blocks, block, 2, MPI.INT, MPI.SUM);
    Check.ints("reduceScatterBlock", block, ranks + size * 2 * rank, ranks + size * (2 * rank + 1));
    world.reduceScatterBlock(blocks, 2, MPI.INT, MPI.SUM);
    Check.equal(ranks + size * 2 * rank, blocks[0], "reduceScatterBlock in place");
    Check.equal(ranks + size * (2 * rank + 1), blocks[1], "reduceScatterBlock in place");
  }

  private static void scans() throws MPIException {
    int[] mine = {rank + 1, 2};
    int[] sum = new int[2];
    world.scan(mine, sum, 2, MPI.INT, MPI.SUM);
    Check.ints("scan", sum, (rank + 1) * (rank + 2) / 2, 2 * (rank + 1));
    int[] before = {-1, -1};
    world.exScan(mine, before, 2, MPI.INT, MPI.SUM);
    if (rank > 0) {
      Check.ints("exScan", before, rank * (rank + 1) / 2, 2 * rank);
    }
    int[] place = mine.clone();
    world.scan(place, 2, MPI.INT, MPI.SUM);
    Check.ints("scan in place", place, sum);
    place = mine.clone();
    world.exScan(place, 2, MPI.INT, MPI.SUM);
    if (rank > 0) {
      Check.ints("exScan in place", place, rank * (rank + 1) / 2, 2 * rank);
    }
  }

  private static void operations() throws MPIException {
    Comm comm = world;
    int[] values = {rank, rank, rank + 1, rank == 0 ? 0 : 1, rank == 0 ? 1 : 0, rank % 2, 7, 1 << rank, 3};
    mpi.Op[] ops = {MPI.MAX, MPI.MIN, MPI.PROD, MPI.LAND, MPI.LOR, MPI.LXOR, MPI.BAND, MPI.BOR, MPI.BXOR};
    int product = 1;
    for (int i = 1; i <= size; i++) {
      product *= i;
    }
    int[] expected = {size - 1, 0, product, 0, 1, size / 2 % 2, 7, (1 << size) - 1, size % 2 == 0 ? 0 : 3};
    for (int i = 0; i < ops.length; i++) {
      int[] result = new int[1];
      comm.allReduce(new int[] {values[i]}, result, 1, MPI.INT, ops[i]);
      Check.equal(expected[i], result[0], "operation " + i);
      Check.that(ops[i].isCommutative() && !ops[i].isNull(), "a predefined operation");
    }
  }

  /** Bytes are numbers without a sign, characters too; booleans can be combined. */
  private static void bytes() throws MPIException {
    byte[] bytes = {(byte) (rank == 0 ? 200 : 100), 1};
    world.allReduce(bytes, 2, MPI.BYTE, MPI.MAX);
    Check.equal((byte) 200, bytes[0], "maximum of bytes");
    byte[] ones = {1};
    world.allReduce(ones, 1, MPI.BYTE, MPI.SUM);
    Check.equal((byte) size, ones[0], "sum of bytes");
    char[] chars = {(char) (rank == 0 ? 60_000 : 5)};
    world.allReduce(chars, 1, MPI.CHAR, MPI.MAX);
    Check.equal((char) 60_000, chars[0], "maximum of characters");
    short[] shorts = {(short) -rank};
    world.allReduce(shorts, 1, MPI.SHORT, MPI.MIN);
    Check.equal((short) (1 - size), shorts[0], "minimum of shorts");
    boolean[] flags = {rank == 0, true};
    world.allReduce(flags, 2, MPI.BOOLEAN, MPI.LAND);
    Check.that(flags[0] == (size == 1) && flags[1], "and of booleans");
    boolean[] some = {rank == 0};
    world.allReduce(some, 1, MPI.BOOLEAN, MPI.LOR);
    Check.that(some[0], "or of booleans");
    // In the original booleans are bytes: bitwise operations, minimum and maximum are defined for them too.
    mpi.Op[] ops = {MPI.BAND, MPI.BOR, MPI.BXOR, MPI.LXOR, MPI.MAX, MPI.MIN, MPI.PROD};
    boolean[] expected = {size == 1, true, true, true, true, size == 1, size == 1};
    for (int i = 0; i < ops.length; i++) {
      boolean[] mine = {rank == 0};
      boolean[] result = new boolean[1];
      world.allReduce(mine, result, 1, MPI.BOOLEAN, ops[i]);
      Check.equal(expected[i], result[0], "operation " + i + " on booleans");
    }
  }

  private static void local() throws MPIException {
    double[] in = {1, 2, 3};
    double[] both = {10, 20, 30};
    Comm.reduceLocal(in, both, 3, MPI.DOUBLE, MPI.SUM);
    Check.equal(new double[] {11, 22, 33}, both, "reduceLocal");
    DoubleBuffer buffer = MPI.newDoubleBuffer(3);
    Comm.reduceLocal(both, buffer, 3, MPI.DOUBLE, MPI.SUM);
    Check.equal(33.0, buffer.get(2), "reduceLocal into a direct buffer");
  }
}
