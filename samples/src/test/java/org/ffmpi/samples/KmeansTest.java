// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.IntraComm;
import org.ffmpi.testkit.MpiTest;

class KmeansTest {
  @MpiTest
  void theCentresAreThoseOfTheClouds(IntraComm world) {
    double[] centres = Kmeans.centres(world, world.rank() == 0 ? Clouds.points(10_001) : null);
    for (int c = 0; c < Clouds.CLOUDS; c++) {
      assertEquals(10 * c, centres[2 * c], 0.1);
      assertEquals(5 * (c % 2), centres[2 * c + 1], 0.1);
    }
  }
}
