// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.nio.file.Path;
import java.util.Arrays;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.cg.ConjugateGradient;
import org.ffmpi.samples.cg.MatrixMarket;
import org.ffmpi.samples.cg.Poisson;
import org.ffmpi.samples.cg.SparseRows;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.samples.show.Console;

/**
 * Solves a large sparse system of equations by the method of conjugate gradients. Each rank has some rows of the
 * matrix. Which entries of the vector it needs of the others follows from the columns of its rows, and is found out
 * once; then every step starts the same persistent messages and the same persistent allreduces.
 *
 * <p>In the end the residual is computed anew from the solution.
 */
public final class Cg {
  private static final String USAGE =
      """
      usage: cg [--matrix FILE | --matrix plate | --grid N] [--iterations N]

        --matrix      a symmetric positive definite matrix in a Matrix Market file (coordinate; real, integer or
                      pattern; general or symmetric), or "plate", which comes with the program
        --grid        Poisson's equation on N x N points; default 320
        --iterations  how many are allowed; default 20000

      The right-hand side is 1 everywhere.
      """;

  private static final String PLATE = "plate";
  private static final int DIGITS = 8;
  private static final double TOLERANCE = 1e-8;
  /** The residual that the method carries along drifts away from the true one by rounding. */
  private static final double DRIFT = 10;

  private Cg() {}

  /**
   * The system that the command line asks for.
   *
   * @param name of the matrix
   * @param matrix this rank's rows
   * @param iterations how many are allowed
   */
  private record Problem(String name, SparseRows matrix, int iterations) {}

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Console console = new Console("cg", mpi.world());
      Problem problem = console.options(USAGE, args, arguments -> problem(arguments, mpi.world()));
      if (problem != null) {
        solve(mpi.world(), problem, console);
      }
    });
  }

  private static Problem problem(Arguments arguments, IntraComm world) {
    int iterations = arguments.number("--iterations", 20_000, 1, 100_000_000);
    int side = arguments.number("--grid", 320, 1, 20_000);
    String file = arguments.text("--matrix", null);
    if (file == null) {
      return new Problem("Poisson's equation", Poisson.rows(side, world), iterations);
    }
    SparseRows matrix =
        file.equals(PLATE) ? MatrixMarket.plate(world) : MatrixMarket.read(Path.of(file), world);
    return new Problem(file, matrix, iterations);
  }

  private static void solve(IntraComm world, Problem problem, Console console) {
    SparseRows matrix = problem.matrix();
    double[] b = new double[matrix.rows()];
    Arrays.fill(b, 1);
    try (ConjugateGradient method = new ConjugateGradient(world, matrix)) {
      console.print("cg: %s, %,d unknowns, %,d entries, %d ranks%n",
          problem.name(), matrix.size(), method.entries(), world.size());
      double[] x = new double[b.length];
      world.barrier();
      double start = Mpi.wtime();
      ConjugateGradient.Progress progress =
          method.solve(b, x, TOLERANCE, problem.iterations(), console.progress(DIGITS, "digit"));
      double seconds = Mpi.wtime() - start;
      double residual = method.residual(b, x);
      console.print("iterations  %,d, %.3f s, %.2f GFLOP/s%n", progress.iterations(), seconds,
          progress.operations() / seconds * 1e-9);
      console.print("residual    %.3e, computed anew from the solution (the method's own is %.3e)%n",
          residual, progress.residual());
      console.check(progress.isPositiveDefinite(), "the matrix is not positive definite");
      console.check(residual <= DRIFT * TOLERANCE,
          "the residual is %.3e after %d iterations: at most %.0e is wanted",
          residual, progress.iterations(), DRIFT * TOLERANCE);
    }
  }
}
