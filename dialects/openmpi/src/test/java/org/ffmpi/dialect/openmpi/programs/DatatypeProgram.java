// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Derived types: sizes in elements, displacements of some constructors in bytes, and what is sent with them. */
final class DatatypeProgram {
  private DatatypeProgram() {}

  static void run() throws MPIException {
    predefined();
    regular();
    indexed();
    structs();
    resized();
    copies();
    transpose();
  }

  private static void bounds(String what, Datatype type, int size, int lb, int extent, int trueLb, int trueExtent)
      throws MPIException {
    Check.equal(size, type.getSize(), what + ": getSize");
    Check.equal(lb, type.getLb(), what + ": getLb");
    Check.equal(extent, type.getExtent(), what + ": getExtent");
    Check.equal(trueLb, type.getTrueLb(), what + ": getTrueLb");
    Check.equal(trueExtent, type.getTrueExtent(), what + ": getTrueExtent");
  }

  private static void predefined() throws MPIException {
    Datatype[] basic = {
        MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.PACKED};
    for (Datatype type : basic) {
      bounds(type.getName(), type, 1, 0, 1, 0, 1);
      Check.that(!type.isNull(), "not null");
    }
    bounds("FLOAT_COMPLEX", MPI.FLOAT_COMPLEX, 2, 0, 2, 0, 2);
    bounds("DOUBLE_COMPLEX", MPI.DOUBLE_COMPLEX, 2, 0, 2, 0, 2);
    bounds("INT2", MPI.INT2, 8, 0, 8, 0, 8);
    Check.equal(6, MPI.SHORT_INT.getSize(), "SHORT_INT");
    Check.equal(8, MPI.SHORT_INT.getExtent(), "SHORT_INT");
    Check.equal(12, MPI.LONG_INT.getSize(), "LONG_INT");
    Check.equal(16, MPI.LONG_INT.getExtent(), "LONG_INT");
    bounds("FLOAT_INT", MPI.FLOAT_INT, 8, 0, 8, 0, 8);
    Check.equal(12, MPI.DOUBLE_INT.getSize(), "DOUBLE_INT");
    Check.equal(16, MPI.DOUBLE_INT.getExtent(), "DOUBLE_INT");
    Check.that(MPI.DATATYPE_NULL.isNull(), "DATATYPE_NULL");
  }

  /** Sends count elements of a type out of 0, 1, 2, … and returns what has come, as elements of the base type. */
  private static double[] sent(Datatype type, int count, int elements) throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    double[] from = new double[40];
    for (int i = 0; i < from.length; i++) {
      from[i] = i;
    }
    double[] to = new double[elements];
    Status status = world.sendRecv(from, count, type, rank, 1, to, elements, MPI.DOUBLE, rank, 1);
    Check.equal(elements, status.getCount(MPI.DOUBLE), "elements that were sent");
    double[] back = new double[40];
    world.sendRecv(to, elements, MPI.DOUBLE, rank, 1, back, count, type, rank, 1);
    for (double value : to) {
      Check.equal(value, back[(int) value], "received with the type");
    }
    return to;
  }

  private static void regular() throws MPIException {
    Datatype three = Datatype.createContiguous(3, MPI.DOUBLE);
    three.commit();
    bounds("contiguous", three, 3, 0, 3, 0, 3);
    Check.equal(new double[] {0, 1, 2, 3, 4, 5}, sent(three, 2, 6), "contiguous");

    Datatype vector = Datatype.createVector(3, 2, 4, MPI.DOUBLE);
    vector.commit();
    bounds("vector", vector, 6, 0, 10, 0, 10);
    Check.equal(new double[] {0, 1, 4, 5, 8, 9, 10, 11, 14, 15, 18, 19}, sent(vector, 2, 12), "vector");

    Datatype hvector = Datatype.createHVector(3, 1, 3 * Double.BYTES, MPI.DOUBLE);
    hvector.commit();
    bounds("hvector", hvector, 3, 0, 7, 0, 7);
    Check.equal(new double[] {0, 3, 6}, sent(hvector, 1, 3), "hvector");

    Datatype nested = Datatype.createVector(2, 1, 2, three);
    nested.commit();
    bounds("vector of contiguous", nested, 6, 0, 9, 0, 9);
    Check.equal(new double[] {0, 1, 2, 6, 7, 8}, sent(nested, 1, 6), "vector of contiguous");

    Datatype backwards = Datatype.createVector(2, 1, -2, MPI.INT);
    bounds("backwards", backwards, 2, -2, 3, -2, 3);
    three.free();
    Check.that(three.isNull(), "a freed type");
    Check.equal(new double[] {0, 1, 2, 6, 7, 8}, sent(nested, 1, 6), "a type outlives the one that it was made of");
    three.free();
    vector.free();
    hvector.free();
    nested.free();
    backwards.free();
  }

  private static void indexed() throws MPIException {
    Datatype indexed = Datatype.createIndexed(new int[] {2, 1, 3}, new int[] {4, 0, 8}, MPI.DOUBLE);
    indexed.commit();
    bounds("indexed", indexed, 6, 0, 11, 0, 11);
    Check.equal(new double[] {4, 5, 0, 8, 9, 10}, sent(indexed, 1, 6), "indexed");
    Datatype hindexed = Datatype.createHIndexed(new int[] {1, 2}, new int[] {16, 40}, MPI.DOUBLE);
    hindexed.commit();
    bounds("hindexed", hindexed, 3, 2, 5, 2, 5);
    Check.equal(new double[] {2, 5, 6}, sent(hindexed, 1, 3), "hindexed");
    indexed.free();
    hindexed.free();
  }

  private static void structs() throws MPIException {
    Datatype struct = Datatype.createStruct(
        new int[] {1, 2, 3}, new int[] {0, 8, 24}, new Datatype[] {MPI.INT, MPI.DOUBLE, MPI.CHAR});
    struct.commit();
    bounds("struct", struct, 26, 0, 32, 0, 30);
    ByteBuffer from = MPI.newByteBuffer(64);
    for (int i = 0; i < 2; i++) {
      from.putInt(32 * i, 7 + i).putDouble(32 * i + 8, 0.5 + i).putDouble(32 * i + 16, 0.25 + i);
      from.putChar(32 * i + 24, 'x').putChar(32 * i + 26, 'y').putChar(32 * i + 28, 'z');
    }
    int rank = MPI.COMM_WORLD.getRank();
    byte[] to = new byte[64];
    MPI.COMM_WORLD.sendRecv(from, 2, struct, rank, 1, to, 2, struct, rank, 1);
    ByteBuffer view = ByteBuffer.wrap(to).order(ByteOrder.nativeOrder());
    for (int i = 0; i < 2; i++) {
      Check.equal(7 + i, view.getInt(32 * i), "int of struct " + i);
      Check.equal(0.25 + i, view.getDouble(32 * i + 16), "second double of struct " + i);
      Check.equal('z', view.getChar(32 * i + 28), "third char of struct " + i);
      Check.equal(0, view.getInt(32 * i + 4), "gap of struct " + i);
    }
    struct.free();
  }

  private static void resized() throws MPIException {
    Datatype wide = Datatype.createResized(MPI.DOUBLE, -Double.BYTES, 3 * Double.BYTES);
    wide.commit();
    bounds("resized", wide, 1, -1, 3, 0, 1);
    Check.equal(new double[] {0, 3, 6, 9}, sent(wide, 4, 4), "resized");
    wide.free();
  }

  private static void copies() throws MPIException {
    Datatype type = Datatype.createVector(2, 1, 2, MPI.DOUBLE);
    type.setName("every second");
    Check.equal("every second", type.getName(), "getName");
    type.commit();
    Datatype dup = type.dup();
    Datatype clone = type.clone();
    type.free();
    bounds("dup", dup, 2, 0, 3, 0, 3);
    Check.equal(new double[] {0, 2}, sent(dup, 1, 2), "a copy of a committed type is committed");
    Check.equal(new double[] {0, 2}, sent(clone, 1, 2), "clone");
    dup.free();
    clone.free();
  }

  /** A column at the sender is a row at the receiver. */
  private static void transpose() throws MPIException {
    int n = 5;
    Datatype column = Datatype.createVector(n, 1, n, MPI.INT);
    Datatype columns = Datatype.createResized(column, 0, Integer.BYTES);
    columns.commit();
    int[] matrix = new int[n * n];
    int[] transposed = new int[n * n];
    for (int i = 0; i < n * n; i++) {
      matrix[i] = i;
    }
    int rank = MPI.COMM_WORLD.getRank();
    MPI.COMM_WORLD.sendRecv(matrix, n, columns, rank, 1, transposed, n * n, MPI.INT, rank, 1);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        Check.equal(j * n + i, transposed[i * n + j], "element " + i + ", " + j);
      }
    }
    column.free();
    columns.free();
  }
}
