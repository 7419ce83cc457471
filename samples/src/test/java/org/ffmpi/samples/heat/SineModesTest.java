// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.samples.heat.SineModes.Mode;
import org.junit.jupiter.api.Test;

class SineModesTest {
  private static double largestError(double[][] field, SineModes modes, int steps) {
    double[] row = new double[field.length];
    double error = 0;
    for (int i = 0; i < field.length; i++) {
      modes.row(i, steps, row);
      for (int j = 0; j < row.length; j++) {
        error = Math.max(error, Math.abs(field[i][j] - row[j]));
      }
    }
    return error;
  }

  @Test
  void solutionIsTheFormula() {
    Mode mode = new Mode(-2, 3, 5);
    int size = 31;
    int steps = 7;
    double time = steps * 0.2 / (32.0 * 32.0);
    double left = Math.exp(-Math.PI * Math.PI * (9 + 25) * time);
    double[] row = new double[size];
    new SineModes(List.of(mode), size).row(11, steps, row);
    double[] expected = new double[size];
    for (int j = 0; j < size; j++) {
      expected[j] = -2 * left * Math.sin(3 * Math.PI * (j + 1) / 32) * Math.sin(5 * Math.PI * 12 / 32);
    }
    assertArrayEquals(expected, row, 1e-14);
  }

  @Test
  void schemeStaysWithinTheBound() {
    for (int size : new int[] {1, 2, 3, 8, 13, 40, 100}) {
      SineModes modes = new SineModes(SineModes.PLATE, size);
      for (int steps : new int[] {0, 1, 2, 17, 400}) {
        double error = largestError(Reference.field(modes, size, steps), modes, steps);
        assertTrue(error <= modes.errorBound(steps), size + " cells, " + steps + " steps: " + error);
      }
    }
  }

  /** A bound that is far too large would not notice anything: a single mode must nearly reach its own. */
  @Test
  void boundIsReached() {
    int size = 63;
    for (int halfWaves : new int[] {1, 3, 8}) {
      SineModes mode = new SineModes(List.of(new Mode(1, halfWaves, halfWaves)), size);
      double error = largestError(Reference.field(mode, size, 300), mode, 300);
      double bound = mode.errorBound(300);
      assertTrue(error > 0.9 * bound, halfWaves + " half waves: error " + error + ", bound " + bound);
    }
  }

  @Test
  void boundShrinksWithTheSquareOfTheCells() {
    // The same moment, four times as many steps with cells half as wide.
    double coarse = new SineModes(SineModes.PLATE, 511).errorBound(1000);
    double fine = new SineModes(SineModes.PLATE, 1023).errorBound(4000);
    assertEquals(4, coarse / fine, 0.05);
  }

  @Test
  void withoutStepsOnlyRoundingIsLeft() {
    assertTrue(new SineModes(SineModes.PLATE, 100).errorBound(0) < 1e-13);
  }
}
