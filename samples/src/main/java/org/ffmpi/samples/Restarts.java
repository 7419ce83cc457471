// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ffmpi.Mpi;
import org.ffmpi.MpiExecutor;

/** Finds clusters of points from many random beginnings (k-means), each a task of an executor over the other ranks. */
public final class Restarts {
  private static final int BEGINNINGS = 40;

  private Restarts() {}

  /**
   * The result of one beginning.
   *
   * @param seed of the beginning
   * @param error mean square of the distances to the centres
   */
  record Outcome(int seed, double error) implements Serializable {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> MpiExecutor.run(mpi.world(), pool -> {
      double[] points = Kmeans.points(20_000);
      Outcome best = pool.map(seed -> cluster(points, seed), IntStream.range(0, BEGINNINGS).boxed())
          .min(Comparator.comparingDouble(Outcome::error)).orElseThrow();
      System.out.printf(Locale.ROOT, "best of %d beginnings: seed %d, error %.4f%n", BEGINNINGS, best.seed, best.error);
    }));
  }

  static Outcome cluster(double[] points, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] centres = new double[2 * Kmeans.CLOUDS];
    for (int c = 0; c < Kmeans.CLOUDS; c++) {
      System.arraycopy(points, 2 * random.nextInt(points.length / 2), centres, 2 * c, 2);
    }
    for (int round = 0; round < Kmeans.ROUNDS; round++) {
      Kmeans.move(centres, Kmeans.sums(centres, points));
    }
    double error = 0;
    for (int i = 0; i < points.length; i += 2) {
      int c = Kmeans.nearest(centres, points[i], points[i + 1]);
      error += Math.pow(points[i] - centres[2 * c], 2) + Math.pow(points[i + 1] - centres[2 * c + 1], 2);
    }
    return new Outcome(seed, error / (points.length / 2.0));
  }
}
