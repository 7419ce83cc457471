// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.hipparchus.linear.ConjugateGradient;
import org.hipparchus.linear.RealVector;

/**
 * Poisson's equation on a square grid, solved by the conjugate gradients of Hipparchus. The solver is Hipparchus' own
 * and knows nothing of ranks; the operator ({@link PoissonOperator}) and the vectors ({@link DistributedVector}) that
 * it is given are spread over them.
 *
 * <p>Takes the side of the grid as its argument, 300 by default. The right side is made of a known solution, with which
 * the result is compared.
 */
public final class PoissonSolver {
  private static final int SIDE = 300;
  private static final double TOLERANCE = 1e-10;

  private PoissonSolver() {}

  /**
   * Runs one rank.
   *
   * @param args the side of the grid; may be missing
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      int side = Blocks.size(mpi, args, SIDE, 20_000);
      PoissonOperator operator = new PoissonOperator(world, side);
      RealVector exact = exact(world, side);
      RealVector right = operator.operate(exact);
      world.barrier();
      double start = Mpi.wtime();
      ConjugateGradient solver = new ConjugateGradient(20 * side, TOLERANCE, false);
      RealVector found = solve(world, solver, operator, right);
      double seconds = Mpi.wtime() - start;
      double[] error = {found.getLInfDistance(exact)};
      world.allreduce(Buf.of(error), Op.MAX);
      if (world.rank() == 0) {
        System.out.printf(Locale.ROOT, "%d unknowns by %d ranks: %d iterations, %.0f ms, largest error %.1e%n",
            side * side, world.size(), solver.getIterationManager().getIterations(), seconds * 1e3, error[0]);
        if (!(error[0] < 1e-6)) {
          mpi.abort(1);
        }
      }
      world.barrier();
    });
  }

  /** Solves from zero; the vector that the solver begins with decides what kind the others are. */
  static RealVector solve(IntraComm world, ConjugateGradient solver, PoissonOperator operator, RealVector right) {
    RealVector start = new DistributedVector(world, new double[operator.getColumnDimension()]);
    return solver.solveInPlace(operator, null, right, start);
  }

  /** This rank's part of the solution that is looked for. */
  static DistributedVector exact(IntraComm world, int side) {
    Blocks blocks = new Blocks(side, world.size());
    int first = blocks.first(world.rank());
    double[] part = new double[blocks.count(world.rank()) * side];
    for (int k = 0; k < part.length; k++) {
      double y = (first + k / side + 1.0) / (side + 1);
      double x = (k % side + 1.0) / (side + 1);
      part[k] = Math.sin(Math.PI * x) * y * (1 - y) + x * (1 - x) * Math.sin(3 * Math.PI * y);
    }
    return new DistributedVector(world, part);
  }
}
