// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.SplittableRandom;

/** Makes clouds of points and does the steps of k-means on them, for {@link Kmeans} and {@link Restarts}. */
final class Clouds {
  static final int CLOUDS = 5;
  static final int ROUNDS = 30;

  private Clouds() {}

  /** Returns points in clouds around (0, 0), (10, 5), (20, 0), …, one cloud after the other. */
  static double[] points(int count) {
    SplittableRandom random = new SplittableRandom(1);
    double[] points = new double[2 * count];
    for (int i = 0; i < count; i++) {
      int cloud = i % CLOUDS;
      points[2 * i] = 10 * cloud + random.nextGaussian();
      points[2 * i + 1] = 5 * (cloud % 2) + random.nextGaussian();
    }
    return points;
  }

  /** Returns for each centre the sum of x, the sum of y, and the number of the points that are nearest to it. */
  static double[] sums(double[] centres, double[] points) {
    double[] sums = new double[3 * CLOUDS];
    for (int i = 0; i < points.length; i += 2) {
      int c = nearest(centres, points[i], points[i + 1]);
      sums[3 * c] += points[i];
      sums[3 * c + 1] += points[i + 1];
      sums[3 * c + 2]++;
    }
    return sums;
  }

  /** Moves each centre to the middle of its points; one without points stays. */
  static void move(double[] centres, double[] sums) {
    for (int c = 0; c < CLOUDS; c++) {
      if (sums[3 * c + 2] > 0) {
        centres[2 * c] = sums[3 * c] / sums[3 * c + 2];
        centres[2 * c + 1] = sums[3 * c + 1] / sums[3 * c + 2];
      }
    }
  }

  static int nearest(double[] centres, double x, double y) {
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int c = 0; c < centres.length / 2; c++) {
      double dx = x - centres[2 * c];
      double dy = y - centres[2 * c + 1];
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        best = c;
      }
    }
    return best;
  }

  /** Returns the centres that come out of a random beginning. */
  static double[] cluster(double[] points, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] centres = new double[2 * CLOUDS];
    for (int c = 0; c < CLOUDS; c++) {
      System.arraycopy(points, 2 * random.nextInt(points.length / 2), centres, 2 * c, 2);
    }
    for (int round = 0; round < ROUNDS; round++) {
      move(centres, sums(centres, points));
    }
    return centres;
  }

  /** Returns the mean square of the distances between points and their nearest centre. */
  static double error(double[] points, double[] centres) {
    double error = 0;
    for (int i = 0; i < points.length; i += 2) {
      int c = nearest(centres, points[i], points[i + 1]);
      error += Math.pow(points[i] - centres[2 * c], 2) + Math.pow(points[i + 1] - centres[2 * c + 1], 2);
    }
    return error / (points.length / 2.0);
  }
}
