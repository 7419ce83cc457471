// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.fft;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;

/**
 * The Fourier transform of a square of complex numbers. Each rank has a slab of whole rows. It transforms its rows, the
 * ranks transpose the square, and the rows of the transposed square are the columns that are still to be transformed.
 *
 * <p>The transpose is one alltoall and no loop: a rank sends columns, which are a vector type, one behind the other,
 * and the receiver's type puts each into a row of its own.
 */
public final class SlabTransform implements AutoCloseable {
  private final IntraComm comm;
  private final int n;
  private final int rows;
  private final RowTransform row;
  private final Datatype<Object> column;
  private final Datatype<Object> rowParts;
  private double[] field;
  private double[] transposed;

  /**
   * Makes a square of zeros. All ranks call this together.
   *
   * @param comm a power of two of ranks, at most {@code n}
   * @param n rows and columns of the square, a power of two
   */
  public SlabTransform(IntraComm comm, int n) {
    this.comm = comm;
    this.n = n;
    rows = n / comm.size();
    row = new RowTransform(n);
    field = new double[2 * rows * n];
    transposed = new double[field.length];
    Datatype<Object> number = Datatype.C_DOUBLE_COMPLEX;
    long bytes = 2 * Double.BYTES;
    // The next column begins one number farther on, and the next rank's part of the rows behind this rank's.
    try (Datatype<Object> down = Datatype.vector(rows, 1, n, number);
        Datatype<Object> parts = Datatype.vector(rows, rows, n, number)) {
      column = down.resized(0, bytes).commit();
      rowParts = parts.resized(0, rows * bytes).commit();
    }
  }

  /**
   * Returns the rows of this rank: real and imaginary parts in turn, row after row.
   *
   * @return the array, until the next transform
   */
  public double[] field() {
    return field;
  }

  /**
   * Returns how many rows each rank has.
   *
   * @return the number
   */
  public int rows() {
    return rows;
  }

  /**
   * Returns the number of this rank's first row.
   *
   * @return the number
   */
  public int firstRow() {
    return comm.rank() * rows;
  }

  /** Transforms the square. It is transposed afterwards: rows are frequencies in the direction of x. */
  public void forth() {
    transform(-1);
  }

  /** Transforms a transposed square back. */
  public void back() {
    transform(1);
    double scale = 1 / ((double) n * n);
    for (int i = 0; i < field.length; i++) {
      field[i] *= scale;
    }
  }

  private void transform(int sign) {
    transformRows(sign);
    transpose();
    transformRows(sign);
  }

  private void transformRows(int sign) {
    for (int i = 0; i < rows; i++) {
      row.transform(field, 2 * i * n, sign);
    }
  }

  private void transpose() {
    comm.alltoall(Buf.of(field, n, column), Buf.of(transposed, comm.size(), rowParts));
    double[] free = field;
    field = transposed;
    transposed = free;
  }

  /**
   * Adds the squares of all numbers up.
   *
   * @return the sum, the same at all ranks
   */
  public double energy() {
    double[] sum = {0};
    for (double part : field) {
      sum[0] += part * part;
    }
    comm.allreduce(Buf.of(sum), Op.SUM);
    return sum[0];
  }

  /**
   * Computes one number of the transformed square by the definition, from the square before it is transformed.
   *
   * @param u frequency in the direction of x
   * @param v frequency in the direction of y
   * @return real and imaginary part, the same at all ranks
   */
  public double[] bin(int u, int v) {
    double[] cosines = new double[n];
    double[] sines = new double[n];
    for (int k = 0; k < n; k++) {
      cosines[k] = Math.cos(2 * Math.PI * k / n);
      sines[k] = -Math.sin(2 * Math.PI * k / n);
    }
    double[] sum = {0, 0};
    for (int i = 0; i < rows; i++) {
      for (int x = 0; x < n; x++) {
        int turn = (int) (((long) u * x + (long) v * (firstRow() + i)) % n);
        double re = field[2 * (i * n + x)];
        double im = field[2 * (i * n + x) + 1];
        sum[0] += re * cosines[turn] - im * sines[turn];
        sum[1] += re * sines[turn] + im * cosines[turn];
      }
    }
    comm.allreduce(Buf.of(sum), Op.SUM);
    return sum;
  }

  /**
   * Compares a number of the transformed square.
   *
   * @param u frequency in the direction of x
   * @param v frequency in the direction of y
   * @param expected real and imaginary part
   * @return the larger difference of the two parts, the same at all ranks
   */
  public double distance(int u, int v, double[] expected) {
    double[] distance = {0};
    if (u / rows == comm.rank()) {
      int at = 2 * (u % rows * n + v);
      distance[0] = Math.max(Math.abs(field[at] - expected[0]), Math.abs(field[at + 1] - expected[1]));
    }
    comm.allreduce(Buf.of(distance), Op.MAX);
    return distance[0];
  }

  @Override
  public void close() {
    column.close();
    rowParts.close();
  }
}
