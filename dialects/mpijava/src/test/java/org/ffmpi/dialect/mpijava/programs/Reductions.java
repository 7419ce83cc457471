// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;

/** Predefined operations on all types that they are defined for. */
final class Reductions {
  private Reductions() {}

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    numbers(check, world);
    bits(check, world);
    truths(check, world);
    pairs(check, world);
    spreadPairs(check, world);
    parts(check, world);
  }

  private static void numbers(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int sum = size * (size - 1) / 2;
    byte[] bytes = new byte[2];
    world.Allreduce(new byte[] {(byte) -rank, 1}, 0, bytes, 0, 2, MPI.BYTE, MPI.SUM);
    check.equal("bytes have a sign and a sum", new byte[] {(byte) -sum, (byte) size}, bytes);
    world.Allreduce(new byte[] {(byte) -rank, 1}, 0, bytes, 0, 2, MPI.BYTE, MPI.MIN);
    check.equal("least byte", new byte[] {(byte) (1 - size), 1}, bytes);
    char[] chars = new char[1];
    world.Allreduce(new char[] {(char) ('a' + rank)}, 0, chars, 0, 1, MPI.CHAR, MPI.MAX);
    check.equal("greatest char", (char) ('a' + size - 1), chars[0]);
    short[] shorts = new short[3];
    world.Allreduce(new short[] {9, (short) rank, 2}, 1, shorts, 1, 2, MPI.SHORT, MPI.SUM);
    check.equal("shorts", new short[] {0, (short) sum, (short) (2 * size)}, shorts);
    int[] ints = new int[1];
    world.Allreduce(new int[] {rank + 1}, 0, ints, 0, 1, MPI.INT, MPI.PROD);
    int product = 1;
    for (int r = 1; r <= size; r++) {
      product *= r;
    }
    check.equal("product of ints", product, ints[0]);
    long[] longs = new long[1];
    world.Allreduce(new long[] {(1L << 40) + rank}, 0, longs, 0, 1, MPI.LONG, MPI.MAX);
    check.equal("greatest long", (1L << 40) + size - 1, longs[0]);
    float[] floats = new float[1];
    world.Allreduce(new float[] {-rank - 0.5f}, 0, floats, 0, 1, MPI.FLOAT, MPI.MIN);
    check.equal("least float", 0.5f - size, floats[0]);
    double[] doubles = new double[1];
    for (int root = 0; root < size; root++) {
      doubles[0] = -1;
      world.Reduce(new double[] {rank + 0.25}, 0, rank == root ? doubles : null, 0, 1, MPI.DOUBLE, MPI.SUM, root);
      check.equal("sum at " + root, rank == root ? sum + 0.25 * size : -1, doubles[0]);
    }
    world.Scan(new double[] {rank}, 0, doubles, 0, 1, MPI.DOUBLE, MPI.SUM);
    check.equal("scan", rank * (rank + 1) / 2.0, doubles[0]);
  }

  private static void bits(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int all = (1 << size) - 1;
    int[] mine = {1 << rank, all ^ 1 << rank, 1};
    check.equal("bor", new int[] {all, size == 1 ? 0 : all, 1}, reduced(world, mine, MPI.BOR));
    check.equal("band", new int[] {size == 1 ? 1 : 0, 0, 1}, reduced(world, mine, MPI.BAND));
    check.equal("bxor", new int[] {all, size % 2 == 0 ? all : 0, size % 2}, reduced(world, mine, MPI.BXOR));
    int[] logical = {rank, 1, 0};
    check.equal("lor", new int[] {size > 1 ? 1 : 0, 1, 0}, reduced(world, logical, MPI.LOR));
    check.equal("land", new int[] {0, 1, 0}, reduced(world, logical, MPI.LAND));
    check.equal("lxor", new int[] {(size - 1) % 2, size % 2, 0}, reduced(world, logical, MPI.LXOR));
  }

  private static int[] reduced(Intracomm world, int[] mine, Op op) throws MPIException {
    int[] result = new int[mine.length];
    world.Allreduce(mine, 0, result, 0, mine.length, MPI.INT, op);
    return result;
  }

  private static void truths(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    boolean[] mine = {rank == 0, true, false};
    boolean[] got = new boolean[3];
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.LAND);
    check.equal("land of truths", new boolean[] {size == 1, true, false}, got);
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.LOR);
    check.equal("lor of truths", new boolean[] {true, true, false}, got);
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.LXOR);
    check.equal("lxor of truths", new boolean[] {true, size % 2 == 1, false}, got);
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.BAND);
    check.equal("band of truths", new boolean[] {size == 1, true, false}, got);
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.BOR);
    check.equal("bor of truths", new boolean[] {true, true, false}, got);
    world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.BXOR);
    check.equal("bxor of truths", new boolean[] {true, size % 2 == 1, false}, got);
    check.fails("a sum of truths", () -> world.Allreduce(mine, 0, got, 0, 3, MPI.BOOLEAN, MPI.SUM), "SUM");
  }

  /** Value and index lie in consecutive elements; of equal values, the lower index counts. */
  private static void pairs(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int half = size / 2;
    int distance = Math.abs(rank - half);
    int farthest = Math.max(half, size - 1 - half);
    int where = half >= size - 1 - half ? 0 : size - 1;
    short[] shorts = new short[2];
    world.Allreduce(new short[] {(short) distance, (short) rank}, 0, shorts, 0, 1, MPI.SHORT2, MPI.MAXLOC);
    check.equal("maxloc of shorts", new short[] {(short) farthest, (short) where}, shorts);
    int[] ints = new int[5];
    world.Allreduce(
        new int[] {7, distance, rank, 5, rank}, 1, ints, 1, 2, MPI.INT2, MPI.MINLOC);
    check.equal("minloc of ints", new int[] {0, 0, half, 5, 0}, ints);
    long[] longs = new long[2];
    world.Reduce(new long[] {-distance, rank}, 0, longs, 0, 1, MPI.LONG2, MPI.MINLOC, 0);
    check.that("minloc of longs", rank != 0 || longs[0] == -farthest && longs[1] == where);
    float[] floats = {distance, rank};
    world.Allreduce(floats, 0, floats, 0, 1, MPI.FLOAT2, MPI.MAXLOC);
    check.equal("maxloc of floats, in place", new float[] {farthest, where}, floats);
    double[] doubles = new double[2];
    world.Scan(new double[] {-rank, rank}, 0, doubles, 0, 1, MPI.DOUBLE2, MPI.MAXLOC);
    check.equal("maxloc of doubles, scanned", new double[] {0, 0}, doubles);
    double[] own = new double[2];
    Datatype pair = Datatype.Contiguous(2, MPI.DOUBLE);
    pair.Commit();
    world.Allreduce(new double[] {distance, rank}, 0, own, 0, 1, pair, MPI.MINLOC);
    check.equal("minloc of a program's own pairs", new double[] {0, half}, own);
    int[] counts = new int[size];
    Arrays.fill(counts, 1);
    int[] many = new int[2 * size];
    for (int r = 0; r < size; r++) {
      many[2 * r] = rank * r;
      many[2 * r + 1] = rank;
    }
    int[] mine = new int[2];
    world.Reduce_scatter(many, 0, mine, 0, counts, MPI.INT2, MPI.MAXLOC);
    check.equal("maxloc of parts", new int[] {rank * (size - 1), rank == 0 ? 0 : size - 1}, mine);
    check.fails("no pairs", () -> world.Allreduce(mine, 0, new int[2], 0, 1, MPI.INT, MPI.MAXLOC), "MPI.INT");
  }

  /** Pairs that do not lie side by side, with other elements between them or between value and index. */
  private static void spreadPairs(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    Datatype padded = Datatype.Struct(new int[] {1, 1}, new int[] {0, 3}, new Datatype[] {MPI.INT2, MPI.UB});
    int[] ints = {rank, rank, 70, -rank, rank, 71};
    int[] got = {-9, -9, -9, -9, -9, -9};
    world.Allreduce(ints, 0, got, 0, 2, padded, MPI.MAXLOC);
    check.equal("maxloc of padded pairs", new int[] {size - 1, size - 1, -9, 0, 0, -9}, got);
    Datatype split = Datatype.Hindexed(new int[] {1, 1}, new int[] {0, -2}, MPI.DOUBLE); // the index lies below
    double[] doubles = {rank, 5, -rank};
    world.Scan(doubles, 2, doubles, 2, 1, split, MPI.MINLOC);
    check.equal("minloc of split pairs, in place", new double[] {rank, 5, -rank}, doubles);
    Datatype three = Datatype.Vector(3, 1, 2, MPI.INT);
    check.fails("no pairs in three", () -> world.Allreduce(ints, 0, got, 0, 1, three, MPI.MAXLOC), "MPI.INT2");
  }

  private static void parts(Check check, Intracomm world) throws MPIException {
    int rank = world.Rank();
    int size = world.Size();
    int[] counts = new int[size + 2];
    int total = 0;
    for (int r = 0; r < size; r++) {
      counts[r] = r % 3;
      total += counts[r];
    }
    double[] send = new double[total + 1];
    for (int i = 0; i < total; i++) {
      send[i + 1] = i + rank;
    }
    double[] recv = new double[counts[rank]];
    world.Reduce_scatter(send, 1, recv, 0, counts, MPI.DOUBLE, MPI.SUM);
    int first = 0;
    for (int r = 0; r < rank; r++) {
      first += counts[r];
    }
    for (int i = 0; i < recv.length; i++) {
      check.equal("part " + i, (double) size * (first + i) + size * (size - 1) / 2, recv[i]);
    }
    // Elements of a derived type: those between are left as they are.
    Datatype ends = Datatype.Vector(2, 1, 2, MPI.INT);
    int[] mine = {rank, 77, 1};
    int[] sum = {-1, -1, -1};
    world.Allreduce(mine, 0, sum, 0, 1, ends, MPI.SUM);
    check.equal("sum of ends", new int[] {size * (size - 1) / 2, -1, size}, sum);
  }
}
