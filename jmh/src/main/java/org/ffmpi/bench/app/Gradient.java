// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Requests;
import org.ffmpi.base.Constants;

/**
 * The method of conjugate gradients for a 7-point Laplacian on 96 x 96 x 96 points, as a sparse matrix by rows. Ranks
 * own slabs; a step exchanges a plane with each neighbour and adds up two dot products.
 */
public final class Gradient {
  private static final int N = 96;
  private static final int PLANE = N * N;

  private final IntraComm world;
  private final Clock clock;
  private final int first;
  private final int n;
  private final int[] starts;
  private final int[] columns;
  private final double[] values;
  private final double[] dot = new double[1];
  private final Buf<Double> dotBuf = Buf.of(dot);

  private Gradient(IntraComm world, Clock clock) {
    this.world = world;
    this.clock = clock;
    first = N * world.rank() / world.size();
    n = (N * (world.rank() + 1) / world.size() - first) * PLANE;
    starts = new int[n + 1];
    columns = new int[7 * n];
    values = new double[7 * n];
    int entries = 0;
    for (int row = 0; row < n; row++) {
      int z = first + row / PLANE;
      int y = row / N % N;
      int x = row % N;
      int at = row + PLANE; // behind the plane of the neighbour
      starts[row] = entries;
      entries = z > 0 ? entry(entries, at - PLANE, -1) : entries;
      entries = y > 0 ? entry(entries, at - N, -1) : entries;
      entries = x > 0 ? entry(entries, at - 1, -1) : entries;
      entries = entry(entries, at, 6);
      entries = x < N - 1 ? entry(entries, at + 1, -1) : entries;
      entries = y < N - 1 ? entry(entries, at + N, -1) : entries;
      entries = z < N - 1 ? entry(entries, at + PLANE, -1) : entries;
    }
    starts[n] = entries;
  }

  private int entry(int at, int column, double value) {
    columns[at] = column;
    values[at] = value;
    return at + 1;
  }

  /**
   * Runs one rank.
   *
   * @param args the number of steps
   */
  public static void main(String[] args) {
    Clock.time(args, (mpi, steps, clock) -> new Gradient(mpi.world(), clock).solve(steps));
  }

  private double solve(int steps) {
    int below = world.rank() > 0 ? world.rank() - 1 : Constants.PROC_NULL;
    int above = world.rank() < world.size() - 1 ? world.rank() + 1 : Constants.PROC_NULL;
    double[] x = new double[n];
    double[] r = new double[n];
    double[] q = new double[n];
    double[] p = new double[n + 2 * PLANE]; // with the neighbours' planes
    for (int i = 0; i < n; i++) {
      r[i] = 1 + (first * PLANE + i) % 5;
      p[PLANE + i] = r[i];
    }
    Buf<?> haloBelow = Buf.of(p, 0, PLANE);
    Buf<?> haloAbove = Buf.of(p, PLANE + n, PLANE);
    Buf<?> top = Buf.of(p, n, PLANE);
    Buf<?> bottom = Buf.of(p, PLANE, PLANE);
    double rho = dot(r, 0, r, n);
    for (int s = 0; s < steps; s++) {
      clock.stepBegins();
      clock.enter();
      try (Requests halo = world.requests()) {
        halo.irecv(haloBelow, below, 1);
        halo.irecv(haloAbove, above, 2);
        halo.isend(top, above, 1);
        halo.isend(bottom, below, 2);
        halo.await();
      }
      clock.leave();
      multiply(p, q);
      double alpha = rho / dot(p, PLANE, q, n);
      advance(alpha, p, q, x, r);
      double next = dot(r, 0, r, n);
      turn(next / rho, r, p);
      rho = next;
      clock.stepEnds();
    }
    return Math.sqrt(dot(x, 0, x, n));
  }

  private void multiply(double[] p, double[] q) {
    for (int row = 0; row < n; row++) {
      double sum = 0;
      for (int k = starts[row], end = starts[row + 1]; k < end; k++) {
        sum += values[k] * p[columns[k]];
      }
      q[row] = sum;
    }
  }

  private double dot(double[] x, int offset, double[] y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += x[offset + i] * y[i];
    }
    dot[0] = sum;
    clock.enter();
    world.allreduce(dotBuf, Op.SUM);
    clock.leave();
    return dot[0];
  }

  private static void advance(double alpha, double[] p, double[] q, double[] x, double[] r) {
    for (int i = 0; i < x.length; i++) {
      x[i] += alpha * p[PLANE + i];
      r[i] -= alpha * q[i];
    }
  }

  private static void turn(double beta, double[] r, double[] p) {
    for (int i = 0; i < r.length; i++) {
      p[PLANE + i] = r[i] + beta * p[PLANE + i];
    }
  }
}
