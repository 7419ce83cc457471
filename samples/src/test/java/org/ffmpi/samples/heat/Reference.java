// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/** The same scheme without ranks, blocks and row copies: three loops that everything else is compared with. */
final class Reference {
  private Reference() {}

  /**
   * Computes the temperatures of the whole plate.
   *
   * @param modes the initial temperatures
   * @param size cells along an edge
   * @param steps time steps
   * @return row by row, without the edges
   */
  static double[][] field(SineModes modes, int size, int steps) {
    double[][] now = new double[size + 2][size + 2];
    double[][] next = new double[size + 2][size + 2];
    double[] row = new double[size];
    for (int i = 0; i < size; i++) {
      modes.row(i, 0, row);
      System.arraycopy(row, 0, now[i + 1], 1, size);
    }
    for (int step = 0; step < steps; step++) {
      for (int i = 1; i <= size; i++) {
        for (int j = 1; j <= size; j++) {
          double upAndDown = now[i - 1][j] + now[i + 1][j];
          double leftAndRight = now[i][j - 1] + now[i][j + 1];
          next[i][j] = 0.2 * ((upAndDown + leftAndRight) + now[i][j]);
        }
      }
      double[][] free = now;
      now = next;
      next = free;
    }
    double[][] result = new double[size][size];
    for (int i = 0; i < size; i++) {
      System.arraycopy(now[i + 1], 1, result[i], 0, size);
    }
    return result;
  }
}
