// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Struct;
import mpi.UserFunction;

/** Operations of a program's own, on arrays and on buffers, commutative and not. */
final class OperationProgram {
  private OperationProgram() {}

  private static final int PRIME = 997;

  /** Composes two functions of the kind x -> factor * x + sum, modulo a prime: associative, not commutative. */
  private static int compose(int first, int second) {
    int factor = first / PRIME * (second / PRIME) % PRIME;
    int sum = (first % PRIME * (second / PRIME) + second % PRIME) % PRIME;
    return factor * PRIME + sum;
  }

  /** The function that a rank contributes. */
  private static int function(int rank) {
    return 3 * PRIME + rank;
  }

  /** What the functions of the first ranks are together. */
  private static int composed(int ranks) {
    int all = function(0);
    for (int i = 1; i < ranks; i++) {
      all = compose(all, function(i));
    }
    return all;
  }

  /** On arrays. */
  private static final class OnArrays extends UserFunction {
    @Override
    public void call(Object in, Object inOut, int count, Datatype type) {
      int[] left = (int[]) in;
      int[] right = (int[]) inOut;
      for (int i = 0; i < count; i++) {
        right[i] = compose(left[i], right[i]);
      }
    }
  }

  /** On direct buffers. */
  private static final class OnBuffers extends UserFunction {
    @Override
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
      IntBuffer left = in.order(ByteOrder.nativeOrder()).asIntBuffer();
      IntBuffer right = inOut.order(ByteOrder.nativeOrder()).asIntBuffer();
      for (int i = 0; i < count; i++) {
        right.put(i, compose(left.get(i), right.get(i)));
      }
    }
  }

  /** Two doubles: a number and how often it was added. */
  private static final class Mean extends Struct {
    private final int sum = addDouble();
    private final int count = addInt();

    @Override
    protected Data newData() {
      return new Data();
    }

    private final class Data extends Struct.Data {
      double sum() {
        return getDouble(sum);
      }

      int count() {
        return getInt(count);
      }

      void set(double s, int c) {
        putDouble(sum, s);
        putInt(count, c);
      }
    }
  }

  static void run() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int expected = composed(size);
    int mine = function(rank);
    Op arrays = new Op(new OnArrays(), false);
    Check.that(!arrays.isCommutative() && !arrays.isNull(), "a new operation");
    int[] result = new int[2];
    world.allReduce(new int[] {mine, mine}, result, 2, MPI.INT, arrays);
    Check.ints("an operation on arrays", result, expected, expected);
    world.reduce(new int[] {mine}, result, 1, MPI.INT, arrays, 0);
    if (rank == 0) {
      Check.equal(expected, result[0], "reduce in the order of ranks");
    }
    int[] scan = {mine};
    world.scan(scan, 1, MPI.INT, arrays);
    Check.equal(composed(rank + 1), scan[0], "scan with an operation on arrays");
    int[] local = {function(1)};
    Comm.reduceLocal(new int[] {function(0)}, local, 1, MPI.INT, arrays);
    Check.equal(composed(2), local[0], "reduceLocal with an operation on arrays");
    arrays.free();
    Check.that(arrays.isNull(), "a freed operation");
    arrays.free();

    Op buffers = new Op(new OnBuffers(), false);
    IntBuffer direct = MPI.newIntBuffer(1).put(0, mine);
    IntBuffer sum = MPI.newIntBuffer(1);
    world.allReduce(direct, sum, 1, MPI.INT, buffers);
    Check.equal(expected, sum.get(0), "an operation on buffers");
    world.iAllReduce(direct, 1, MPI.INT, buffers).waitFor();
    Check.equal(expected, direct.get(0), "an operation on buffers in a nonblocking call");
    buffers.free();
    structs(world, rank, size);
    derived(world, size);
  }

  private static void structs(Comm world, int rank, int size) throws MPIException {
    Mean mean = new Mean();
    Op add = new Op(new UserFunction() {
      @Override
      public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) throws MPIException {
        for (int i = 0; i < count; i++) {
          Mean.Data left = mean.getData(in, i);
          Mean.Data right = mean.getData(inOut, i);
          right.set(left.sum() + right.sum(), left.count() + right.count());
        }
      }
    }, true);
    Check.that(add.isCommutative(), "a commutative operation");
    ByteBuffer mine = MPI.newByteBuffer(2 * mean.getExtent());
    ByteBuffer all = MPI.newByteBuffer(2 * mean.getExtent());
    for (int i = 0; i < 2; i++) {
      Mean.Data data = mean.getData(mine, i);
      data.set(rank + i, 1);
    }
    world.allReduce(mine, all, 2, mean.getType(), add);
    for (int i = 0; i < 2; i++) {
      Mean.Data data = mean.getData(all, i);
      Check.equal(size * (size - 1) / 2.0 + size * i, data.sum(), "sum of structs");
      Check.equal(size, data.count(), "count of structs");
    }
    add.free();
  }

  /** The function sees the elements of a derived type where they lie. */
  private static void derived(Comm world, int size) throws MPIException {
    Datatype pair = Datatype.createVector(2, 1, 2, MPI.LONG);
    pair.commit();
    Op add = new Op(new UserFunction() {
      @Override
      public void call(Object in, Object inOut, int count, Datatype type) throws MPIException {
        long[] left = (long[]) in;
        long[] right = (long[]) inOut;
        for (int i = 0; i < count; i++) {
          int at = i * type.getExtent();
          right[at] += left[at];
          right[at + 2] += left[at + 2];
        }
      }
    }, true);
    long[] mine = {1, 50, 2, 3, 60, 4};
    long[] sum = {0, -1, 0, 0, -2, 0};
    world.allReduce(mine, sum, 2, pair, add);
    Check.equal(new long[] {size, -1, 2 * size, 3 * size, -2, 4 * size}, sum, "an operation on a derived type");
    add.free();
    pair.free();
  }
}
