// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.nbody;

import java.util.SplittableRandom;

/** Two galaxies that pass each other closely, each a heavy core with a disc of stars on circles round it. */
public final class Galaxies {
  private static final double CORE = 1;
  private static final double DISC = 0.05;
  private static final double INNER_RADIUS = 0.3;
  private static final double OUTER_RADIUS = 1.6;
  private static final double THICKNESS = 0.02;
  private static final double[] TILTS = {Math.toRadians(20), Math.toRadians(-40)};

  private static final double DISTANCE = 4.5;
  private static final double NEAREST = 1.9;

  private Galaxies() {}

  /**
   * Makes a body.
   *
   * @param number of the body; the first half of all is one galaxy
   * @param count how many bodies there are in all, an even number
   * @return the same at all ranks
   */
  public static Body body(int number, int count) {
    int half = count / 2;
    int galaxy = number / half;
    int star = number % half;
    // The cores come together on a parabola: its speed far out, divided into a part across and a part along the way.
    double masses = 2 * (CORE + DISC);
    double speed = Math.sqrt(2 * masses / DISTANCE);
    double across = Math.sqrt(2 * masses * NEAREST) / DISTANCE;
    double along = Math.sqrt(speed * speed - across * across);
    int side = galaxy == 0 ? -1 : 1;
    Body body = star == 0 ? new Body(0, 0, 0, 0, 0, 0, CORE) : onCircle(star, half, galaxy);
    return body.tilt(TILTS[galaxy]).shift(side * DISTANCE / 2, 0, -side * along / 2, side * across / 2);
  }

  private static Body onCircle(int star, int half, int galaxy) {
    SplittableRandom random = new SplittableRandom(31L * star + galaxy);
    double share = random.nextDouble();
    double radius = INNER_RADIUS + (OUTER_RADIUS - INNER_RADIUS) * Math.sqrt(share);
    double angle = random.nextDouble(2 * Math.PI);
    double inside = CORE + DISC * share;
    double softened = radius * radius + Gravity.SOFTENING * Gravity.SOFTENING;
    double speed = Math.sqrt(inside * radius * radius / (softened * Math.sqrt(softened)));
    return new Body(radius * Math.cos(angle), radius * Math.sin(angle), THICKNESS * random.nextGaussian(),
        -speed * Math.sin(angle), speed * Math.cos(angle), 0, DISC / (half - 1));
  }
}
