// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import mpi.Comm;
import mpi.DoubleComplex;
import mpi.FloatComplex;
import mpi.MPI;
import mpi.MPIException;

/** Complex numbers: views of all kinds of memory, sums and products. */
final class ComplexProgram {
  private ComplexProgram() {}

  static void run() throws MPIException {
    views();
    doubleViews();
    sums();
    products();
  }

  private static void views() throws MPIException {
    float[] array = {1, 2, 3, 4};
    FloatComplex second = FloatComplex.get(array, 1);
    Check.that(second.getReal() == 3 && second.getImag() == 4, "a number in an array");
    second.putReal(5);
    second.putImag(6);
    Check.equal(new float[] {1, 2, 5, 6}, array, "an array written by a view");
    Check.equal(5f, second.getBuffer().get(0), "buffer of the second number");
    Check.equal(2f, FloatComplex.get(array).getImag(), "the first number of an array");
    FloatBuffer buffer = MPI.newFloatBuffer(4);
    FloatComplex.get(buffer).putImag(8);
    FloatComplex.get(buffer, 1).putReal(9);
    Check.that(buffer.get(1) == 8 && buffer.get(2) == 9, "a buffer written by views");
    Check.that(FloatComplex.get(buffer).getBuffer() == buffer, "buffer of the first number");
    ByteBuffer bytes = MPI.newByteBuffer(16);
    FloatComplex.get(bytes).putReal(1.5f);
    FloatComplex.get(bytes, 1).putImag(2.5f);
    Check.that(bytes.getFloat(0) == 1.5f && bytes.getFloat(12) == 2.5f, "bytes written by views");
  }

  private static void doubleViews() throws MPIException {
    double[] array = {1, 2, 3, 4};
    DoubleComplex second = DoubleComplex.get(array, 1);
    second.putReal(second.getImag());
    second.putImag(7);
    Check.equal(new double[] {1, 2, 4, 7}, array, "an array written by a view");
    Check.equal(1.0, DoubleComplex.get(array).getReal(), "the first number of an array");
    DoubleBuffer buffer = MPI.newDoubleBuffer(4);
    DoubleComplex.get(buffer).putImag(8);
    DoubleComplex.get(buffer, 1).putReal(9);
    Check.that(buffer.get(1) == 8 && buffer.get(2) == 9, "a buffer written by views");
    ByteBuffer bytes = MPI.newByteBuffer(32);
    DoubleComplex.get(bytes).putReal(1.5);
    DoubleComplex.get(bytes, 1).putImag(2.5);
    Check.that(bytes.getDouble(0) == 1.5 && bytes.getDouble(24) == 2.5, "bytes written by views");
    // The memory of a number can be sent.
    int rank = MPI.COMM_WORLD.getRank();
    double[] got = new double[2];
    MPI.COMM_WORLD.sendRecv(second.getBuffer(), 1, MPI.DOUBLE_COMPLEX, rank, 1, got, 1, MPI.DOUBLE_COMPLEX, rank, 1);
    Check.equal(new double[] {4, 7}, got, "the second number");
  }

  private static void sums() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    float[] mine = {rank, 1, 2, rank + 1};
    float[] sum = new float[4];
    world.allReduce(mine, sum, 2, MPI.FLOAT_COMPLEX, MPI.SUM);
    float ranks = size * (size - 1) / 2f;
    Check.equal(new float[] {ranks, size, 2 * size, ranks + size}, sum, "sum of complex floats");
    DoubleBuffer doubles = MPI.newDoubleBuffer(2);
    DoubleComplex number = DoubleComplex.get(doubles);
    number.putReal(0.5);
    number.putImag(rank);
    world.allReduce(doubles, 1, MPI.DOUBLE_COMPLEX, MPI.SUM);
    Check.that(number.getReal() == 0.5 * size && number.getImag() == ranks, "sum of complex doubles");
  }

  private static void products() throws MPIException {
    double[] i = {0, 1};
    MPI.COMM_WORLD.allReduce(i, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
    double[][] powers = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double[] expected = powers[MPI.COMM_WORLD.getSize() % 4];
    Check.that(i[0] == expected[0] && i[1] == expected[1], "power of i: " + i[0] + ", " + i[1]);
  }
}
