// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.Locale;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * Finds the centres of clouds of points in the plane (k-means). Rank 0 has the points and scatters them; every rank
 * assigns its own to the nearest centre, and the sums of all ranks make the next centres. Whole arrays are sent and
 * come back as new ones, without a {@code Buf}, a count or a displacement.
 */
public final class Kmeans {
  private static final int POINTS = 100_003;

  private Kmeans() {}

  /**
   * Runs one rank.
   *
   * @param args none
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      double[] centres = centres(mpi.world(), mpi.world().rank() == 0 ? Clouds.points(POINTS) : null);
      if (mpi.world().rank() == 0) {
        for (int c = 0; c < Clouds.CLOUDS; c++) {
          System.out.printf(Locale.ROOT, "centre %d at %.3f %.3f%n", c, centres[2 * c], centres[2 * c + 1]);
        }
      }
    });
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
    double[] centres = world.rank() == 0 ? Arrays.copyOf(all, 2 * Clouds.CLOUDS) : new double[2 * Clouds.CLOUDS];
    world.bcast(centres, 0);
    for (int round = 0; round < Clouds.ROUNDS; round++) {
      double[] sums = Clouds.sums(centres, mine);
      world.allreduce(sums, Op.SUM);
      Clouds.move(centres, sums);
    }
    return centres;
  }
}
