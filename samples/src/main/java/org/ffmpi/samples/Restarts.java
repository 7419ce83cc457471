// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import org.ffmpi.Mpi;
import org.ffmpi.MpiExecutor;

/** Finds clusters of points from many random beginnings (k-means), each a task of an executor over the other ranks. */
public final class Restarts {
  private static final int BEGINNINGS = 40;

  private Restarts() {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> MpiExecutor.run(mpi.world(), pool -> {
      double[] points = Clouds.points(20_000);
      double[] best = pool.map(seed -> Clouds.cluster(points, seed), IntStream.range(0, BEGINNINGS).boxed())
          .min(Comparator.comparingDouble(centres -> Clouds.error(points, centres))).orElseThrow();
      System.out.printf(Locale.ROOT, "best of %d beginnings: error %.4f%n", BEGINNINGS, Clouds.error(points, best));
    }));
  }
}
