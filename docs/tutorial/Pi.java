// SPDX-License-Identifier: Apache-2.0
import java.util.Locale;
import org.ffmpi.*;

public class Pi {
  /** Returns this rank's part of the integral of 4 / (1 + x^2) from 0 to 1. */
  static double part(int rank, int size, int steps) {
    double sum = 0;
    for (int i = rank; i < steps; i += size) {
      double x = (i + 0.5) / steps;
      sum += 4 / (1 + x * x);
    }
    return sum / steps;
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Comm world = mpi.world();
      int[] steps = new int[1];
      if (world.rank() == 0) {
        steps[0] = 1_000_000;                                       // only rank 0 knows
      }
      world.bcast(Buf.of(steps), 0);                                // now all do
      double[] pi = {part(world.rank(), world.size(), steps[0])};
      world.allreduce(Buf.of(pi), Op.SUM);
      if (world.rank() == 0) {
        System.out.printf(Locale.ROOT, "pi is about %.9f%n", pi[0]);
      }
    });
  }
}
