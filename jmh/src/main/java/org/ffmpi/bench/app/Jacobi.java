// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Requests;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * Jacobi's method for Laplace's equation on a square of 1024 x 1024 points, in blocks on a grid of ranks. The halo of a
 * step are four messages out and four in; columns are a vector type.
 */
public final class Jacobi {
  private static final int N = 1024;

  private final CartComm grid;
  private final CartComm.Shift vertical;
  private final CartComm.Shift horizontal;
  private final int rows;
  private final int columns;
  private Field now;
  private Field next;

  /** The points of a block with its halo, and the edges that travel. */
  private record Field(double[] points, Buf<?> haloAbove, Buf<?> haloBelow, Buf<?> haloLeft, Buf<?> haloRight,
      Buf<?> top, Buf<?> bottom, Buf<?> left, Buf<?> right) {
    static Field of(int rows, int columns, Datatype<Double> column) {
      int width = columns + 2;
      double[] points = new double[(rows + 2) * width];
      return new Field(points,
          Buf.of(points, 1, columns), Buf.of(points, (rows + 1) * width + 1, columns),
          Buf.of(points, 1, column).at(8L * width), Buf.of(points, 1, column).at(8L * (width + columns + 1)),
          Buf.of(points, width + 1, columns), Buf.of(points, rows * width + 1, columns),
          Buf.of(points, 1, column).at(8L * (width + 1)), Buf.of(points, 1, column).at(8L * (width + columns)));
    }
  }

  private Jacobi(CartComm grid) {
    this.grid = grid;
    vertical = grid.shift(0, 1);
    horizontal = grid.shift(1, 1);
    int[] dims = grid.dims();
    int[] coords = grid.coords();
    rows = N * (coords[0] + 1) / dims[0] - N * coords[0] / dims[0];
    int firstColumn = N * coords[1] / dims[1];
    columns = N * (coords[1] + 1) / dims[1] - firstColumn;
    Datatype<Double> column = Datatype.vector(rows, 1, columns + 2, Datatype.DOUBLE).commit();
    now = Field.of(rows, columns, column);
    next = Field.of(rows, columns, column);
    if (vertical.source() == Constants.PROC_NULL) { // the square's upper edge is hot
      for (int j = 0; j < columns + 2; j++) {
        now.points[j] = 1 + (firstColumn + j) % 7;
        next.points[j] = now.points[j];
      }
    }
  }

  /**
   * Runs one rank.
   *
   * @param args the number of steps
   */
  public static void main(String[] args) {
    Clock.time(args, Jacobi::run);
  }

  private static double run(Mpi mpi, int steps, Clock clock) {
    int[] dims = Mpi.dimsCreate(mpi.world().size(), 0, 0);
    try (CartComm grid = mpi.world().cartCreate(dims, new boolean[] {false, false}, false)) {
      Jacobi jacobi = new Jacobi(grid);
      for (int s = 0; s < steps; s++) {
        clock.stepBegins();
        clock.enter();
        jacobi.exchange();
        clock.leave();
        sweep(jacobi.now.points, jacobi.next.points, jacobi.rows, jacobi.columns);
        jacobi.flip();
        clock.stepEnds();
      }
      double[] sum = {jacobi.sum()};
      clock.enter();
      grid.allreduce(Buf.of(sum), Op.SUM);
      clock.leave();
      return sum[0];
    }
  }

  private void exchange() {
    int up = vertical.source();
    int down = vertical.dest();
    int left = horizontal.source();
    int right = horizontal.dest();
    try (Requests halo = grid.requests()) {
      halo.irecv(now.haloAbove, up, 1);
      halo.irecv(now.haloBelow, down, 2);
      halo.irecv(now.haloLeft, left, 3);
      halo.irecv(now.haloRight, right, 4);
      halo.isend(now.bottom, down, 1);
      halo.isend(now.top, up, 2);
      halo.isend(now.right, right, 3);
      halo.isend(now.left, left, 4);
      halo.await();
    }
  }

  /** Carries two of the four neighbours along in locals, which saves loads where the JIT does not vectorize. */
  private static void sweep(double[] now, double[] next, int rows, int columns) {
    int width = columns + 2;
    for (int i = 1; i <= rows; i++) {
      double left = now[i * width];
      double middle = now[i * width + 1];
      for (int at = i * width + 1, end = at + columns; at < end; at++) {
        double right = now[at + 1];
        next[at] = 0.25 * (now[at - width] + now[at + width] + left + right);
        left = middle;
        middle = right;
      }
    }
  }

  private void flip() {
    Field swap = now;
    now = next;
    next = swap;
  }

  private double sum() {
    double sum = 0;
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= columns; j++) {
        sum += now.points[i * (columns + 2) + j];
      }
    }
    return sum;
  }
}
