// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.User_function;

/** Operations of the program's own. */
final class UserOperations {
  private UserOperations() {}

  /** Complex numbers as pairs of doubles, multiplied. */
  private static final class Product extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      double[] in = (double[]) invec;
      double[] inout = (double[]) inoutvec;
      int each = datatype.Size();
      for (int i = 0; i < count * each; i += 2) {
        double re = in[inoffset + i] * inout[inoutoffset + i] - in[inoffset + i + 1] * inout[inoutoffset + i + 1];
        double im = in[inoffset + i] * inout[inoutoffset + i + 1] + in[inoffset + i + 1] * inout[inoutoffset + i];
        inout[inoutoffset + i] = re;
        inout[inoutoffset + i + 1] = im;
      }
    }
  }

  /** Matrices of two rows and columns, which do not commute. */
  private static final class Matrices extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      long[] in = (long[]) invec;
      long[] inout = (long[]) inoutvec;
      for (int i = 0; i < count; i++) {
        int a = inoffset + 4 * i;
        int b = inoutoffset + 4 * i;
        long[] c = {
            in[a] * inout[b] + in[a + 1] * inout[b + 2], in[a] * inout[b + 1] + in[a + 1] * inout[b + 3],
            in[a + 2] * inout[b] + in[a + 3] * inout[b + 2], in[a + 2] * inout[b + 1] + in[a + 3] * inout[b + 3]};
        System.arraycopy(c, 0, inout, b, 4);
      }
    }
  }

  /** Adds elements of a vector's ends, which may lie anywhere. */
  private static final class Ends extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      int[] in = (int[]) invec;
      int[] inout = (int[]) inoutvec;
      for (int i = 0; i < count; i++) {
        for (int place : new int[] {0, -2}) {
          inout[inoutoffset + i * datatype.Extent() + place] += in[inoffset + i * datatype.Extent() + place];
        }
      }
    }
  }

  private static final class Throwing extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      throw new IllegalStateException("no good");
    }
  }

  private static final class Either extends User_function {
    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
      boolean[] in = (boolean[]) invec;
      boolean[] inout = (boolean[]) inoutvec;
      for (int i = 0; i < count; i++) {
        inout[inoutoffset + i] ^= in[inoffset + i];
      }
    }
  }

  static void run(Check check) throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.Rank();
    int size = world.Size();

    Datatype complex = Datatype.Contiguous(2, MPI.DOUBLE);
    complex.Commit();
    Op product = new Op(new Product(), true);
    double[] powers = new double[6];
    world.Allreduce(new double[] {0, 1, 1, 0, 2, 0}, 0, powers, 0, 3, complex, product);
    double[][] ofI = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double[] powerOfI = {powers[0] + 0.0, powers[1] + 0.0}; // without the sign of a zero
    check.equal("power of i", ofI[size % 4], powerOfI);
    check.equal("power of two", Math.pow(2, size), powers[4]);
    world.Allreduce(powers, 0, powers, 0, 0, complex, product);
    check.equal("number of the operation", 0, product.opCode);
    product.free();
    check.fails("a freed operation", () -> world.Allreduce(powers, 0, new double[2], 0, 1, complex, product), "freed");
    check.equal("with a number", 99, new Op(new Product(), true, 99).opCode);

    // The product of {{1, r}, {0, 1}} and {{1, 0}, {r, 1}} in turn, by the order of ranks.
    Op matrices = new Op(new Matrices(), false);
    Datatype matrix = Datatype.Contiguous(4, MPI.LONG);
    matrix.Commit();
    long[] scanned = new long[8];
    long[] mine = of(rank);
    world.Scan(new long[] {0, 0, 0, 0, mine[0], mine[1], mine[2], mine[3]}, 4, scanned, 4, 1, matrix, matrices);
    check.equal("product up to here", product(rank + 1), Arrays.copyOfRange(scanned, 4, 8));
    long[] all = new long[4];
    world.Reduce(mine, 0, all, 0, 1, matrix, matrices, size - 1);
    if (rank == size - 1) {
      check.equal("product of all", product(size), all);
    }
    world.Allreduce(mine, 0, mine, 0, 1, matrix, matrices);
    check.equal("product of all, in place", product(size), mine);

    Datatype backwards = Datatype.Vector(2, 1, -2, MPI.INT); // elements 0 and -2
    backwards.Commit();
    int[] ends = {rank, 5, 1, 2 * rank, 5, 2};
    int[] sums = new int[6];
    world.Allreduce(ends, 2, sums, 2, 2, backwards, new Op(new Ends(), true));
    int sum = size * (size - 1) / 2;
    check.equal("sums of ends", new int[] {sum, 0, size, 2 * sum, 0, 2 * size}, sums);

    boolean[] odd = new boolean[2];
    world.Allreduce(new boolean[] {true, rank == 0}, 0, odd, 0, 2, MPI.BOOLEAN, new Op(new Either(), true));
    check.equal("either", new boolean[] {size % 2 == 1, true}, odd);

    if (size == 2) {
      check.fails("an operation that throws", () -> world.Allreduce(
          new int[] {1}, 0, new int[1], 0, 1, MPI.INT, new Op(new Throwing(), true)), "no good");
    }
    check.fails("no function", () -> new Op(null, true), "function");
    check.fails("freeing a predefined operation", MPI.SUM::free, "MPI.SUM");
    matrices.finalize();
  }

  private static long[] of(int rank) {
    return rank % 2 == 0 ? new long[] {1, rank + 1, 0, 1} : new long[] {1, 0, rank + 1, 1};
  }

  private static long[] product(int ranks) {
    long[] product = {1, 0, 0, 1};
    for (int r = 0; r < ranks; r++) {
      long[] a = product;
      long[] b = of(r);
      product = new long[] {
          a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    }
    return product;
  }
}
