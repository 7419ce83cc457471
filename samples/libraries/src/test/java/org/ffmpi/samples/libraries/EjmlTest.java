// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

class EjmlTest {
  /** Not divisible by most numbers of ranks. */
  private static final int SIZE = 67;

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void productIsEjmlsOwn(IntraComm world) {
    Blocks blocks = new Blocks(SIZE, world.size());
    DMatrixRMaj left = MatrixProduct.rows(blocks, world.rank(), SIZE, MatrixProduct::left);
    DMatrixRMaj right = MatrixProduct.rows(blocks, world.rank(), SIZE, MatrixProduct::right);
    DMatrixRMaj before = right.copy();
    DMatrixRMaj all = MatrixProduct.gather(world, blocks, MatrixProduct.multiply(world, blocks, left, right));
    assertTrue(MatrixFeatures_DDRM.isIdentical(before, right, 0), "the argument stays as it was");
    if (world.rank() == 0) {
      Blocks one = new Blocks(SIZE, 1);
      DMatrixRMaj expected = new DMatrixRMaj(SIZE, SIZE);
      CommonOps_DDRM.mult(
          MatrixProduct.rows(one, 0, SIZE, MatrixProduct::left), MatrixProduct.rows(one, 0, SIZE, MatrixProduct::right),
          expected);
      assertTrue(MatrixFeatures_DDRM.isIdentical(all, expected, 1e-12 * SIZE));
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void largestEigenvalueIsEjmlsOwn(IntraComm world) {
    Blocks blocks = new Blocks(SIZE, world.size());
    DMatrixRMaj rows = MatrixProduct.rows(blocks, world.rank(), SIZE, PowerIteration::entry);
    assertEquals(PowerIteration.byEjml(SIZE), PowerIteration.largest(world, blocks, rows), 1e-9);
  }
}
