// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.util.Arrays;
import java.util.List;

/**
 * The exact solution, and how far from it the scheme may be.
 *
 * <p>The plate is the unit square with diffusivity α = 1: u_t = u_xx + u_yy, and u = 0 on its edges. It starts as a sum
 * of modes a·sin(pπx)·sin(qπy), each of which keeps its shape and decays as exp(-λt) with λ = π²(p² + q²).
 *
 * <p>With n cells along an edge, cell (i, j) lies at x = (j + 1)h, y = (i + 1)h for h = 1/(n + 1), and a step takes
 * Δt = h²/5 (see {@link Stencil}). A mode is an eigenvector of a step too: one step multiplies it by
 *
 * <pre>   G = 1 - (4/5)·(sin²(pπh/2) + sin²(qπh/2)),   |G| ≤ 1 </pre>
 *
 * <p>so after s steps the scheme's field differs from the exact one, in exact arithmetic, by exactly the sum of
 * a·(G^s - exp(-λsΔt))·sin(pπx)·sin(qπy). As no sine is larger than 1, no cell is farther off than
 *
 * <pre>   sum of |a|·|G^s - exp(-λsΔt)| </pre>
 *
 * <p>which is the discretisation error of the scheme, of order h² for a fixed time. Rounding comes on top, counted in
 * units of 2^-53 of the largest temperature, which never grows, as a step takes means: a step's sums of two, two, four
 * and five temperatures, its product and a weight that is not quite 1/5 add less than 5 units. The power G^s in the
 * bound itself adds one unit per step, and sines, exponentials and products some dozens in all.
 */
final class SineModes {
  /** The rounding error allowed per step, in units of 2^-53 of the amplitudes' sum. */
  private static final double UNITS_PER_STEP = 10;

  /** That of initial values, of the exact solution and of the bound itself, in the same units. */
  private static final double UNITS_IN_ALL = 64;

  private static final double UNIT = 0x1p-53;

  /**
   * One mode.
   *
   * @param amplitude a
   * @param p half waves along a row
   * @param q half waves along a column
   */
  record Mode(double amplitude, int p, int q) {}

  /** Coarse modes that stay, finer ones that fade while one looks, and no symmetry, to make it a picture. */
  static final List<Mode> PLATE =
      List.of(
          new Mode(1.0, 1, 1),
          new Mode(0.6, 2, 3),
          new Mode(-0.5, 5, 2),
          new Mode(0.4, 4, 7),
          new Mode(0.35, 13, 11),
          new Mode(-0.3, 24, 17));

  private final List<Mode> modes;
  private final int size;
  /** For each mode, the sine of its half waves along a row, by cell. */
  private final double[][] alongRow;
  private final double[][] alongColumn;

  /**
   * Prepares the solution on a grid.
   *
   * @param modes the initial state of the plate
   * @param size cells along an edge
   */
  SineModes(List<Mode> modes, int size) {
    this.modes = modes;
    this.size = size;
    alongRow = new double[modes.size()][];
    alongColumn = new double[modes.size()][];
    for (int m = 0; m < modes.size(); m++) {
      alongRow[m] = sines(modes.get(m).p());
      alongColumn[m] = sines(modes.get(m).q());
    }
  }

  private double[] sines(int halfWaves) {
    double[] result = new double[size];
    for (int i = 0; i < size; i++) {
      result[i] = sineOfPi((long) halfWaves * (i + 1), size + 1);
    }
    return result;
  }

  /** Returns sin(π·numerator/denominator), with the whole turns taken away in integers, where that is exact. */
  private static double sineOfPi(long numerator, long denominator) {
    long angle = numerator % (2 * denominator);
    boolean negative = angle > denominator;
    if (negative) {
      angle -= denominator;
    }
    if (2 * angle > denominator) {
      angle = denominator - angle;
    }
    double sine = StrictMath.sin(Math.PI * angle / denominator);
    return negative ? -sine : sine;
  }

  /** Returns the sum of the amplitudes: no temperature is ever farther from 0. */
  double largestTemperature() {
    return modes.stream().mapToDouble(m -> Math.abs(m.amplitude())).sum();
  }

  /**
   * Computes the exact temperatures of a row.
   *
   * @param row row of the plate
   * @param steps how many time steps have passed
   * @param into filled, from the first column on
   */
  void row(int row, int steps, double[] into) {
    row(row, 0, steps, into);
  }

  /**
   * Computes the exact temperatures of a part of a row.
   *
   * @param row row of the plate
   * @param first the first column
   * @param steps how many time steps have passed
   * @param into filled
   */
  void row(int row, int first, int steps, double[] into) {
    Arrays.fill(into, 0);
    for (int m = 0; m < modes.size(); m++) {
      double factor = modes.get(m).amplitude() * decay(modes.get(m), steps) * alongColumn[m][row];
      double[] sines = alongRow[m];
      for (int j = 0; j < into.length; j++) {
        into[j] += factor * sines[first + j];
      }
    }
  }

  /**
   * Returns the largest error that the scheme can have at any cell.
   *
   * @param steps how many time steps have passed
   */
  double errorBound(int steps) {
    double discretisation = 0;
    for (Mode mode : modes) {
      discretisation += Math.abs(mode.amplitude()) * Math.abs(Math.pow(gain(mode), steps) - decay(mode, steps));
    }
    double rounding = (UNITS_PER_STEP * steps + UNITS_IN_ALL) * UNIT * largestTemperature();
    return discretisation + rounding;
  }

  /** The remainder of a mode after some steps, in the exact solution. */
  private double decay(Mode mode, int steps) {
    double h = 1.0 / (size + 1);
    double squares = (double) mode.p() * mode.p() + (double) mode.q() * mode.q();
    return Math.exp(-Math.PI * Math.PI * squares * steps * Stencil.WEIGHT * h * h);
  }

  /** The factor by which one step of the scheme multiplies a mode. */
  private double gain(Mode mode) {
    double p = sineOfPi(mode.p(), 2L * (size + 1));
    double q = sineOfPi(mode.q(), 2L * (size + 1));
    return 1 - 4 * Stencil.WEIGHT * (p * p + q * q);
  }
}
