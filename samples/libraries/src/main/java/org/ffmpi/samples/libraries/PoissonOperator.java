// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealLinearOperator;
import org.hipparchus.linear.RealVector;

/**
 * The five-point Laplace operator on a square grid with zeros around it, as a linear operator of Hipparchus that is
 * spread over ranks: each has some rows of the grid, and gets the row above and the row below from its neighbours,
 * straight out of the array of the neighbour's vector.
 */
final class PoissonOperator implements RealLinearOperator {
  private static final int UP = 0;
  private static final int DOWN = 1;

  private final IntraComm world;
  private final int side;
  private final int rows;
  private final int above;
  private final int below;
  private final double[] rowAbove;
  private final double[] rowBelow;

  PoissonOperator(IntraComm world, int side) {
    this.world = world;
    this.side = side;
    this.rows = new Blocks(side, world.size()).count(world.rank());
    this.above = world.rank() == 0 ? Mpi.PROC_NULL : world.rank() - 1;
    this.below = world.rank() == world.size() - 1 ? Mpi.PROC_NULL : world.rank() + 1;
    this.rowAbove = new double[side]; // stays zero where there is no neighbour
    this.rowBelow = new double[side];
  }

  @Override
  public int getRowDimension() {
    return rows * side;
  }

  @Override
  public int getColumnDimension() {
    return rows * side;
  }

  @Override
  public RealVector operate(RealVector vector) {
    double[] x = vector instanceof ArrayRealVector array ? array.getDataRef() : vector.toArray();
    Buf<Double> first = Buf.of(x, 0, side);
    Buf<Double> last = Buf.of(x, x.length - side, side);
    world.sendrecv(first, above, UP, Buf.of(rowBelow), below, UP);
    world.sendrecv(last, below, DOWN, Buf.of(rowAbove), above, DOWN);
    double[] y = new double[x.length];
    for (int i = 0; i < rows; i++) {
      int at = i * side;
      double[] north = i == 0 ? rowAbove : x;
      int northAt = i == 0 ? 0 : at - side;
      double[] south = i == rows - 1 ? rowBelow : x;
      int southAt = i == rows - 1 ? 0 : at + side;
      for (int j = 0; j < side; j++) {
        double west = j == 0 ? 0 : x[at + j - 1];
        double east = j == side - 1 ? 0 : x[at + j + 1];
        y[at + j] = 4 * x[at + j] - west - east - north[northAt + j] - south[southAt + j];
      }
    }
    return new DistributedVector(world, y);
  }
}
