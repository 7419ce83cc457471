// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.fft;

/**
 * A telescope's mirror of eighteen hexagons, in two rings round a hole, with the three struts that hold the secondary
 * mirror in front of it.
 */
public final class Mirror {
  private static final int RINGS = 2;
  /** Distance of two hexagons' centres, for hexagons that are 1 wide. */
  private static final double PITCH = 1.012;
  /** Width of the whole mirror. */
  private static final double WIDTH = 5 * PITCH;
  private static final double STRUT = 0.035;
  private static final double[] STRUTS = {Math.toRadians(90), Math.toRadians(270 - 28), Math.toRadians(270 + 28)};
  /** A point is the mean of this many in each direction, so that edges are smooth. */
  private static final int FINE = 3;

  private final double scale;
  private final double centre;

  /**
   * Creates a mirror in the middle of a square.
   *
   * @param n points along an edge of the square
   * @param width how many of them the mirror is wide
   */
  public Mirror(int n, double width) {
    scale = WIDTH / width;
    centre = (n - 1) / 2.0;
  }

  /**
   * Returns how much light a point reflects.
   *
   * @param x column of the point
   * @param y row of the point
   * @return from 0 to 1
   */
  public double at(int x, int y) {
    int hits = 0;
    for (int i = 0; i < FINE * FINE; i++) {
      double fineX = x - centre + (i % FINE + 0.5) / FINE - 0.5;
      double fineY = y - centre + (i / FINE + 0.5) / FINE - 0.5;
      hits += reflects(fineX * scale, fineY * scale) ? 1 : 0;
    }
    return hits / (double) (FINE * FINE);
  }

  private static boolean reflects(double x, double y) {
    if (Math.abs(x) > WIDTH / 2 || Math.abs(y) > WIDTH / 2) {
      return false;
    }
    for (double angle : STRUTS) {
      double along = x * Math.cos(angle) + y * Math.sin(angle);
      double across = x * Math.sin(angle) - y * Math.cos(angle);
      if (along > 0 && Math.abs(across) < STRUT) {
        return false;
      }
    }
    for (int i = -RINGS; i <= RINGS; i++) {
      for (int j = -RINGS; j <= RINGS; j++) {
        boolean there = Math.abs(i + j) <= RINGS && (i != 0 || j != 0);
        if (there && isInHexagon(x - PITCH * Math.sqrt(3) / 2 * i, y - PITCH * (j + i / 2.0))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a point is in the hexagon of width 1 round the origin. */
  private static boolean isInHexagon(double x, double y) {
    double slanted = Math.sqrt(3) / 2 * Math.abs(x) + Math.abs(y) / 2;
    return Math.abs(y) <= 0.5 && slanted <= 0.5;
  }
}
