// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.util.Locale;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;

/**
 * The product of two dense matrices in EJML. Each rank has some rows of both; the rows of the right matrix go round a
 * ring, while each rank multiplies those it has by EJML. Messages are sent out of {@code DMatrixRMaj.data} and received
 * into it.
 *
 * <p>Takes the size of the matrices as its argument, 600 by default. Rank 0 compares with EJML's own product.
 */
public final class MatrixProduct {
  private static final int SIZE = 600;
  private static final int TAG = 0;

  private MatrixProduct() {}

  /** The entries of a matrix. */
  @FunctionalInterface
  interface Entries {
    double at(int row, int column);
  }

  /**
   * Runs one rank.
   *
   * @param args the size; may be missing
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      int n = Blocks.size(mpi, args, SIZE, 20_000);
      Blocks blocks = new Blocks(n, world.size());
      DMatrixRMaj left = rows(blocks, world.rank(), n, MatrixProduct::left);
      DMatrixRMaj right = rows(blocks, world.rank(), n, MatrixProduct::right);
      multiply(world, blocks, left, right); // once without looking at the clock, so that the code is compiled
      world.barrier();
      double start = Mpi.wtime();
      DMatrixRMaj product = multiply(world, blocks, left, right);
      world.barrier();
      double seconds = Mpi.wtime() - start;
      DMatrixRMaj all = gather(world, blocks, product);
      if (world.rank() == 0) {
        Blocks one = new Blocks(n, 1);
        DMatrixRMaj expected = new DMatrixRMaj(n, n);
        start = Mpi.wtime();
        CommonOps_DDRM.mult(rows(one, 0, n, MatrixProduct::left), rows(one, 0, n, MatrixProduct::right), expected);
        double alone = Mpi.wtime() - start;
        boolean same = MatrixFeatures_DDRM.isIdentical(all, expected, 1e-12 * n);
        System.out.printf(Locale.ROOT, "%d x %d by %d ranks: %.0f ms, EJML alone %.0f ms, the products %s%n",
            n, n, world.size(), seconds * 1e3, alone * 1e3, same ? "agree" : "DIFFER");
        if (!same) {
          mpi.abort(1);
        }
      }
      world.barrier();
    });
  }

  static double left(int row, int column) {
    return Math.sin(row + 2.0 * column);
  }

  static double right(int row, int column) {
    return Math.cos(3.0 * row - column);
  }

  /** Makes the rows of one rank. */
  static DMatrixRMaj rows(Blocks blocks, int rank, int columns, Entries entries) {
    int first = blocks.first(rank);
    DMatrixRMaj matrix = new DMatrixRMaj(blocks.count(rank), columns);
    for (int i = 0; i < matrix.numRows; i++) {
      for (int j = 0; j < columns; j++) {
        matrix.unsafe_set(i, j, entries.at(first + i, j));
      }
    }
    return matrix;
  }

  /**
   * Multiplies two matrices of which each rank has some rows. All ranks call it together.
   *
   * @param world all ranks
   * @param blocks how rows are spread, those of both matrices alike
   * @param left this rank's rows of the left matrix
   * @param right this rank's rows of the right matrix
   * @return this rank's rows of the product
   */
  static DMatrixRMaj multiply(IntraComm world, Blocks blocks, DMatrixRMaj left, DMatrixRMaj right) {
    int rank = world.rank();
    int size = world.size();
    int columns = right.numCols;
    DMatrixRMaj product = new DMatrixRMaj(left.numRows, columns);
    DMatrixRMaj part = new DMatrixRMaj(left.numRows, 1);
    DMatrixRMaj current = right;
    DMatrixRMaj next = new DMatrixRMaj(1, columns);
    DMatrixRMaj afterNext = new DMatrixRMaj(1, columns);
    for (int step = 0; step < size; step++) {
      int owner = (rank + step) % size;
      Request received = null;
      Request sent = null;
      if (step < size - 1) { // while this rank multiplies what it has, the next rows come in
        next.reshape(blocks.count((owner + 1) % size), columns);
        received = world.irecv(elements(next), (rank + 1) % size, TAG);
        sent = world.isend(elements(current), (rank + size - 1) % size, TAG);
      }
      int first = blocks.first(owner);
      part.reshape(left.numRows, current.numRows);
      CommonOps_DDRM.extract(left, 0, left.numRows, first, first + current.numRows, part);
      CommonOps_DDRM.multAdd(part, current, product);
      if (received != null) {
        received.await();
        sent.await();
        DMatrixRMaj free = current == right ? afterNext : current; // the caller's rows stay
        current = next;
        next = free;
      }
    }
    return product;
  }

  /** Collects the rows of all ranks at rank 0, straight into the matrix; null elsewhere. */
  static DMatrixRMaj gather(IntraComm world, Blocks blocks, DMatrixRMaj rows) {
    int columns = rows.numCols;
    DMatrixRMaj all = world.rank() == 0 ? new DMatrixRMaj(blocks.rows(), columns) : null;
    world.gatherv(
        elements(rows), all == null ? null : elements(all), blocks.counts(columns), blocks.displacements(columns), 0);
    return all;
  }

  /** A buffer over a matrix: after {@code reshape}, its array may be longer than it. */
  static Buf<Double> elements(DMatrixRMaj matrix) {
    return Buf.of(matrix.data, 0, matrix.getNumElements());
  }
}
