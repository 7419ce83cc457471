// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.ffmpi.Mpi;
import org.ffmpi.testkit.MpiTest;

class GravityTest {
  private static final int BODIES = 26;
  private static final double STEP = 0.02;

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void bodiesMoveTheSameWayOnAnyNumberOfRanks(Mpi mpi) {
    Gravity gravity = new Gravity(mpi.world(), BODIES);
    Gravity alone = new Gravity(mpi.self(), BODIES);
    Gravity.Conserved before = gravity.conserved();
    for (int step = 0; step < 20; step++) {
      gravity.step(STEP);
      alone.step(STEP);
    }
    for (int i = 0; i < gravity.bodies().length; i++) {
      assertEquals(alone.bodies()[gravity.first() + i], gravity.bodies()[i]);
    }
    Gravity.Conserved after = gravity.conserved();
    assertEquals(before.energy(), after.energy(), 1e-4 * Math.abs(before.energy()));
    assertTrue(before.momentumFrom(after) < 1e-13, before + " " + after);
  }

  @MpiTest(ranks = {1, 3})
  void photographHasTheLightOfAllRanks(Mpi mpi) {
    Gravity gravity = new Gravity(mpi.world(), BODIES);
    Exposure exposure = new Exposure(80, 50, 11);
    exposure.expose(gravity.bodies(), gravity.first(), BODIES, 1);
    int[] colours = exposure.develop(mpi.world());
    if (mpi.world().rank() != 0) {
      assertNull(colours);
      return;
    }
    Gravity alone = new Gravity(mpi.self(), BODIES);
    Exposure expected = new Exposure(80, 50, 11);
    expected.expose(alone.bodies(), 0, BODIES, 1);
    int[] ofOne = expected.develop(mpi.self());
    long different = 0;
    for (int i = 0; i < colours.length; i++) {
      different += colours[i] == ofOne[i] ? 0 : 1; // sums of float in another order
    }
    assertTrue(different < colours.length / 20, different + " pixels");
    assertTrue(Arrays.stream(colours).distinct().count() > 20);
  }
}
