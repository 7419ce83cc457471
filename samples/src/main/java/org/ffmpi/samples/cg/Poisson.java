// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import org.ffmpi.Comm;

/** The matrix of Poisson's equation on a square grid, by differences of five points. */
public final class Poisson {
  private Poisson() {}

  /**
   * Makes a rank's rows of the matrix.
   *
   * @param side points along an edge of the grid
   * @param comm all ranks
   * @return the rows
   */
  public static SparseRows rows(int side, Comm comm) {
    SparseRows.Builder rows = new SparseRows.Builder(side * side, comm);
    for (int row = rows.first(); row < rows.end(); row++) {
      int y = row / side;
      int x = row % side;
      if (y > 0) {
        rows.add(row, row - side, -1);
      }
      if (x > 0) {
        rows.add(row, row - 1, -1);
      }
      rows.add(row, row, 4);
      if (x < side - 1) {
        rows.add(row, row + 1, -1);
      }
      if (y < side - 1) {
        rows.add(row, row + side, -1);
      }
    }
    return rows.build();
  }
}
