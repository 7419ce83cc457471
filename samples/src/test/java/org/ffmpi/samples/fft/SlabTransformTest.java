// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.fft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

class SlabTransformTest {
  private static final double ROUNDING = 1e-12;

  @MpiTest(ranks = {1, 2, 4, 8})
  void everyNumberIsThatOfTheDefinitionAndTheWayBackLeadsBack(IntraComm world) {
    int n = 16;
    try (SlabTransform square = new SlabTransform(world, n)) {
      Random random = new Random(world.rank());
      double[] field = square.field();
      for (int i = 0; i < field.length; i++) {
        field[i] = random.nextDouble() - 0.5;
      }
      double[] before = field.clone();
      double energy = square.energy();
      double[][] expected = new double[n * n][];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = square.bin(i / n, i % n);
      }
      square.forth();
      for (int i = 0; i < expected.length; i++) {
        assertEquals(0, square.distance(i / n, i % n, expected[i]), ROUNDING);
      }
      assertEquals(energy * n * n, square.energy(), 1e-9);
      expected[5][0] += 1;
      assertEquals(1, square.distance(0, 5, expected[5]), ROUNDING);
      square.back();
      assertArrayEquals(before, square.field(), ROUNDING);
    }
  }

  @Test
  void mirrorHasEighteenHexagonsRoundAHole() {
    int n = 200;
    Mirror mirror = new Mirror(n, 150);
    double light = 0;
    for (int i = 0; i < n * n; i++) {
      light += mirror.at(i % n, i / n);
    }
    double hexagon = Math.sqrt(3) / 2 * (150 / 5.0) * (150 / 5.0);
    assertTrue(light > 16.5 * hexagon && light < 18 * hexagon, "light of " + light / hexagon + " hexagons");
    assertEquals(0, mirror.at(n / 2, n / 2));
    assertEquals(0, mirror.at(0, n / 2));
    assertEquals(1, mirror.at(n / 2, n / 2 - 40));
  }
}
