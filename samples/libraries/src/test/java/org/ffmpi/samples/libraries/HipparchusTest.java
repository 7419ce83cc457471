// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.ConjugateGradient;
import org.hipparchus.linear.LUDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

class HipparchusTest {
  private static final int SIDE = 11;

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void solutionIsThatOfTheWholeMatrix(IntraComm world) {
    double[] right = new double[SIDE * SIDE];
    for (int k = 0; k < right.length; k++) {
      right[k] = Math.sin(k * k);
    }
    RealVector expected = new LUDecomposition(matrix()).getSolver().solve(new ArrayRealVector(right, false));
    Blocks blocks = new Blocks(SIDE, world.size());
    int from = blocks.first(world.rank()) * SIDE;
    int count = blocks.count(world.rank()) * SIDE;
    PoissonOperator operator = new PoissonOperator(world, SIDE);
    RealVector part = new DistributedVector(world, new ArrayRealVector(right, from, count).getDataRef());
    RealVector found = PoissonSolver.solve(world, new ConjugateGradient(1000, 1e-13, true), operator, part);
    assertEquals(0, found.getLInfDistance(expected.getSubVector(from, count)), 1e-10);
  }

  @MpiTest(ranks = {1, 2, 3})
  void productsAndNormsAreThoseOfTheWholeVector(IntraComm world) {
    DistributedVector ones = new DistributedVector(world, new double[] {1, 1, 1, 1});
    DistributedVector ranks = new DistributedVector(world, new double[] {world.rank(), 0, 0, 0});
    int size = world.size();
    assertEquals(2 * Math.sqrt(size), ones.getNorm(), 1e-15);
    assertEquals(size * (size - 1) / 2.0, ones.dotProduct(ranks));
    assertEquals(size * (size - 1) / 2.0, ones.copy().dotProduct(ranks));
    assertEquals(4 * size - size * (size - 1), ones.combine(1, -2, ranks).dotProduct(ones), 1e-12);
  }

  /** The operator, written out. */
  private static RealMatrix matrix() {
    RealMatrix matrix = new Array2DRowRealMatrix(SIDE * SIDE, SIDE * SIDE);
    for (int k = 0; k < SIDE * SIDE; k++) {
      matrix.setEntry(k, k, 4);
      for (int other : new int[] {k - SIDE, k + SIDE, k % SIDE == 0 ? -1 : k - 1, k % SIDE == SIDE - 1 ? -1 : k + 1}) {
        if (other >= 0 && other < SIDE * SIDE) {
          matrix.setEntry(k, other, -1);
        }
      }
    }
    return matrix;
  }
}
