// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/**
 * One time step of the scheme, for one row: the new temperature of a cell is the mean of its own and its four
 * neighbours'. That is the explicit Euler step u + αΔt/h² (sum of neighbours − 4u) for αΔt/h² = 1/5.
 *
 * <p>Everything that computes comes through here, in the same order of additions, so that the field does not depend on
 * how the plate is cut or where it is kept.
 */
final class Stencil {
  /** αΔt/h². Stable up to 1/4; 1/5 makes the five weights equal, which saves a multiplication. */
  static final double WEIGHT = 0.2;

  private Stencil() {}

  /**
   * Computes a row. All arrays are indexed by the same column: with the neighbours at {@code j - 1} and {@code j + 1}
   * of one array HotSpot has to assume that the store to {@code result[j]} changes them, and does not vectorise. So the
   * callers hand in shifted copies; while a block fits the caches that makes a step twice as fast.
   *
   * @param above the row above
   * @param here the row itself
   * @param below the row below
   * @param left the row itself, shifted: {@code left[j]} is {@code here[j - 1]}, and 0 for the first cell
   * @param right the row itself, shifted: {@code right[j]} is {@code here[j + 1]}, and 0 for the last cell
   * @param result where the new row goes
   * @param size number of cells
   */
  static void row(
      double[] above, double[] here, double[] below, double[] left, double[] right, double[] result, int size) {
    for (int j = 0; j < size; j++) {
      result[j] = WEIGHT * (((above[j] + below[j]) + (left[j] + right[j])) + here[j]);
    }
  }

  /** Computes one cell, with the same additions in the same order as {@link #row}. */
  static double cell(double above, double here, double below, double left, double right) {
    return WEIGHT * (((above + below) + (left + right)) + here);
  }

  /**
   * Makes the shifted copies of a row. The cells beyond the plate's edge stay 0, as in new arrays.
   *
   * @param here the row
   * @param left filled from its second element on
   * @param right filled up to its last but one element
   * @param size number of cells
   */
  static void shift(double[] here, double[] left, double[] right, int size) {
    System.arraycopy(here, 0, left, 1, size - 1);
    System.arraycopy(here, 1, right, 0, size - 1);
  }
}
