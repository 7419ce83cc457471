// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.util.Locale;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.NormOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/**
 * The largest eigenvalue of a dense symmetric matrix by power iteration in EJML. Each rank has some rows of the matrix
 * and all of the vector: it multiplies its rows, and one allgatherv puts the pieces of the new vector together in
 * {@code DMatrixRMaj.data} of all ranks.
 *
 * <p>Takes the size of the matrix as its argument, 400 by default. Rank 0 compares with EJML's own decomposition.
 */
public final class PowerIteration {
  private static final int SIZE = 400;
  private static final int STEPS = 1000;
  private static final double TOLERANCE = 1e-13;

  private PowerIteration() {}

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
      DMatrixRMaj rows = MatrixProduct.rows(blocks, world.rank(), n, PowerIteration::entry);
      double value = largest(world, blocks, rows);
      if (world.rank() == 0) {
        double expected = byEjml(n);
        boolean same = Math.abs(value - expected) < 1e-9 * expected;
        System.out.printf(Locale.ROOT, "largest eigenvalue of %d x %d by %d ranks: %.10f, by EJML alone: %.10f%n",
            n, n, world.size(), value, expected);
        if (!same) {
          mpi.abort(1);
        }
      }
      world.barrier();
    });
  }

  /** A symmetric matrix whose largest eigenvalue stands out. */
  static double entry(int row, int column) {
    return 1 / (1.0 + Math.abs(row - column)) + (row == column ? row % 5 : 0);
  }

  /**
   * Finds the largest eigenvalue of a symmetric matrix. All ranks call it together.
   *
   * @param world all ranks
   * @param blocks how rows are spread
   * @param rows this rank's rows
   * @return the eigenvalue of largest absolute value, the same at all ranks
   */
  static double largest(IntraComm world, Blocks blocks, DMatrixRMaj rows) {
    int first = blocks.first(world.rank());
    DMatrixRMaj vector = new DMatrixRMaj(rows.numCols, 1);
    vector.fill(1 / Math.sqrt(rows.numCols));
    DMatrixRMaj piece = new DMatrixRMaj(rows.numRows, 1);
    Buf<Double> send = Buf.of(piece.data);
    Buf<Double> receive = Buf.of(vector.data);
    long[] counts = blocks.counts(1);
    long[] displacements = blocks.displacements(1);
    double value = 0;
    for (int step = 0; step < STEPS; step++) {
      CommonOps_DDRM.mult(rows, vector, piece);
      world.allgatherv(send, receive, counts, displacements);
      double norm = NormOps_DDRM.normF(vector); // all ranks have all of it
      CommonOps_DDRM.scale(1 / norm, vector);
      if (Math.abs(norm - value) < TOLERANCE * norm) {
        return norm;
      }
      value = norm;
    }
    return value;
  }

  /** The same by EJML alone. */
  static double byEjml(int n) {
    EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(n, false, true);
    decomposition.decompose(MatrixProduct.rows(new Blocks(n, 1), 0, n, PowerIteration::entry));
    double largest = 0;
    for (int i = 0; i < decomposition.getNumberOfEigenvalues(); i++) {
      largest = Math.max(largest, decomposition.getEigenvalue(i).getMagnitude());
    }
    return largest;
  }
}
