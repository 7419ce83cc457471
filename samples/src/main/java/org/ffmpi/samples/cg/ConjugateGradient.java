// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.samples.show.ProgressBar;

/** The method of Hestenes and Stiefel, for a matrix whose rows are distributed. */
public final class ConjugateGradient implements AutoCloseable {
  /** Operations of a step for each unknown, beside the product: two dot products and three sums of vectors. */
  private static final int OPERATIONS_PER_ROW = 10;

  private final Halo halo;
  private final SparseRows matrix;
  /** The rows that need no other rank's entries, and those that do. */
  private final int[] inner;
  private final int[] outer;
  private final double[] sum = new double[1];
  private final Persistent sumOfAll;
  private final long entries;
  /** The search direction: own entries, then the halo. */
  private final double[] p;
  private final double[] q;

  /**
   * The course of a solution.
   *
   * @param iterations steps of the method
   * @param residual norm of the residual that the method carries along, divided by that of the right-hand side
   * @param operations additions and multiplications of all ranks
   * @param isPositiveDefinite whether no step has shown that the matrix is not
   */
  public record Progress(int iterations, double residual, double operations, boolean isPositiveDefinite) {}

  /**
   * Prepares the method. All ranks call this together.
   *
   * @param comm the ranks whose rows, in rank order, make up the matrix
   * @param rows this rank's rows
   */
  public ConjugateGradient(IntraComm comm, SparseRows rows) {
    halo = new Halo(comm, rows);
    matrix = rows.withColumns(halo.places(rows));
    inner = IntStream.range(0, rows.rows()).filter(row -> matrix.isBelow(row, rows.rows())).toArray();
    outer = IntStream.range(0, rows.rows()).filter(row -> !matrix.isBelow(row, rows.rows())).toArray();
    sumOfAll = comm.allreduceInit(Buf.of(sum), Op.SUM, null);
    p = halo.vector();
    q = new double[rows.rows()];
    long[] count = {rows.entries()};
    comm.allreduce(Buf.of(count), Op.SUM);
    entries = count[0];
  }

  /**
   * Returns how many entries the whole matrix has.
   *
   * @return the number
   */
  public long entries() {
    return entries;
  }

  /**
   * Solves the system. All ranks call this together.
   *
   * @param b this rank's part of the right-hand side
   * @param x this rank's part of the solution, from 0 on
   * @param tolerance norm of the residual at which the method ends, divided by that of the right-hand side
   * @param limit steps after which it ends anyway
   * @param progress counts the digits
   * @return how it was found, the same at all ranks
   */
  public Progress solve(double[] b, double[] x, double tolerance, int limit, ProgressBar progress) {
    double[] r = b.clone();
    System.arraycopy(b, 0, p, 0, b.length);
    double whole = dot(b, b);
    double rho = whole;
    int iterations = 0;
    boolean positive = true;
    while (rho > tolerance * tolerance * whole && iterations < limit && positive) {
      multiply();
      double curvature = dot(p, q);
      positive = curvature > 0;
      if (positive) {
        double next = step(rho / curvature, x, r);
        turn(next / rho, r);
        rho = next;
        iterations++;
      }
      progress.show((int) Math.max(0, Math.log10(whole / rho) / 2));
    }
    progress.clear();
    double operations = iterations * (2.0 * entries + (double) OPERATIONS_PER_ROW * matrix.size());
    return new Progress(iterations, whole == 0 ? 0 : Math.sqrt(rho / whole), operations, positive);
  }

  /**
   * Computes the residual of a solution.
   *
   * @param b this rank's part of the right-hand side
   * @param x this rank's part of the solution
   * @return norm of b - Ax, divided by that of b, the same at all ranks
   */
  public double residual(double[] b, double[] x) {
    System.arraycopy(x, 0, p, 0, x.length);
    multiply();
    double[] rest = new double[b.length];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = b[i] - q[i];
    }
    double whole = dot(b, b);
    return whole == 0 ? 0 : Math.sqrt(dot(rest, rest) / whole);
  }

  /** Computes q = Ap. The rows that need the halo come last: it travels meanwhile. */
  private void multiply() {
    halo.start();
    matrix.multiply(inner, p, q);
    halo.finish();
    matrix.multiply(outer, p, q);
  }

  private double dot(double[] a, double[] b) {
    double own = 0;
    for (int i = 0; i < q.length; i++) {
      own += a[i] * b[i];
    }
    sum[0] = own;
    sumOfAll.start();
    sumOfAll.await();
    return sum[0];
  }

  /** Goes along p and returns the square of the new residual's norm. */
  private double step(double alpha, double[] x, double[] r) {
    for (int i = 0; i < r.length; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    return dot(r, r);
  }

  private void turn(double beta, double[] r) {
    for (int i = 0; i < r.length; i++) {
      p[i] = r[i] + beta * p[i];
    }
  }

  @Override
  public void close() {
    sumOfAll.close();
    halo.close();
  }
}
