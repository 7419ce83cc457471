package ${package};

import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** Integrates 4 / (1 + x²) from 0 to 1, each rank its share of the strips. */
public final class Main {
  private static final int STRIPS = 10_000_000;

  private Main() {}

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      double pi = pi(mpi.world(), STRIPS);
      if (mpi.world().rank() == 0) {
        System.out.printf("pi is about %.12f, by %d ranks%n", pi, mpi.world().size());
      }
    });
  }

  /** Returns the integral at every rank. */
  static double pi(Comm comm, int strips) {
    double[] sum = new double[1];
    for (int i = comm.rank(); i < strips; i += comm.size()) {
      double x = (i + 0.5) / strips;
      sum[0] += 4 / (1 + x * x) / strips;
    }
    comm.allreduce(sum, Op.SUM);
    return sum[0];
  }
}
