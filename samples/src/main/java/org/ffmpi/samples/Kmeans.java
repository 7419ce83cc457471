// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * Finds the centres of clouds of points in the plane (k-means). Rank 0 has the points and scatters them; every rank
 * assigns its own to the nearest centre, and the sums of all ranks make the next centres. Whole arrays are sent and
 * come back as new ones, without a {@code Buf}, a count or a displacement.
 */
public final class Kmeans {
  static final int CLOUDS = 5;
  private static final int POINTS = 100_003;
  static final int ROUNDS = 30;

  private Kmeans() {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      double[] centres = centres(mpi.world(), mpi.world().rank() == 0 ? points(POINTS) : null);
      if (mpi.world().rank() == 0) {
        for (int c = 0; c < CLOUDS; c++) {
          System.out.printf(Locale.ROOT, "centre %d at %.3f %.3f%n", c, centres[2 * c], centres[2 * c + 1]);
        }
      }
    });
  }

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

  /** Returns the centres at all ranks; {@code all} is needed at rank 0 only. */
  static double[] centres(IntraComm world, double[] all) {
    int[] counts = null;
    if (world.rank() == 0) {
      counts = new int[world.size()];
      for (int r = 0; r < counts.length; r++) {
        counts[r] = 2 * (all.length / 2 * (r + 1) / counts.length - all.length / 2 * r / counts.length);
      }
    }
    double[] mine = world.scatterv(all, counts, 0);
    double[] centres = world.rank() == 0 ? Arrays.copyOf(all, 2 * CLOUDS) : new double[2 * CLOUDS];
    world.bcast(centres, 0);
    for (int round = 0; round < ROUNDS; round++) {
      double[] sums = sums(centres, mine);
      world.allreduce(sums, Op.SUM);
      move(centres, sums);
    }
    return centres;
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
}
