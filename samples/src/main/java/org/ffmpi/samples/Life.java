// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Locale;
import java.util.function.IntBinaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;

/**
 * Conway's game of life on a torus that is cut in both directions: each rank has a rectangle of cells, in a Cartesian
 * communicator that knows its neighbours. Edges are exchanged in each step, first to the sides, as columns, which are
 * a datatype, then up and down with the corners.
 */
public final class Life {
  private static final int CELLS = 600;
  private static final int STEPS = 200;
  private static final int TAG = 0;

  private final CartComm grid;
  private final int firstRow;
  private final int firstColumn;
  private final int rows;
  private final int columns;
  /** Cells of one row, with a neighbour's cell at each end; there is a neighbour's row above and below as well. */
  private final int width;
  private byte[] cells;
  private byte[] next;

  /**
   * Makes the rectangle of this rank.
   *
   * @param grid all ranks
   * @param side cells of the torus in each direction, at least as many as there are ranks in it
   * @param seed says of a row and a column whether the cell lives (1) or not (0)
   */
  Life(CartComm grid, int side, IntBinaryOperator seed) {
    this.grid = grid;
    int[] dims = grid.dims();
    int[] place = grid.coords();
    firstRow = border(side, dims[0], place[0]);
    firstColumn = border(side, dims[1], place[1]);
    rows = border(side, dims[0], place[0] + 1) - firstRow;
    columns = border(side, dims[1], place[1] + 1) - firstColumn;
    width = columns + 2;
    cells = new byte[(rows + 2) * width];
    next = new byte[cells.length];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        cells[at(i + 1, j + 1)] = (byte) seed.applyAsInt(firstRow + i, firstColumn + j);
      }
    }
  }

  /**
   * Runs one rank.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      double start = Mpi.wtime();
      try (CartComm grid = torus(mpi.world())) {
        Life life = new Life(grid, CELLS, (row, column) -> (row * 31 + column * 17 + row * column) % 7 < 3 ? 1 : 0);
        life.run(STEPS);
        long alive = life.sum(false);
        if (grid.rank() == 0) {
          int[] dims = grid.dims();
          System.out.printf(Locale.ROOT, "%d cells live after %d steps on %d x %d ranks; %.0f ms%n",
              alive, STEPS, dims[0], dims[1], (Mpi.wtime() - start) * 1e3);
        }
      }
    });
  }

  /**
   * Arranges ranks as a torus.
   *
   * @param comm all of them, which call this together
   * @return a communicator that may number them in another order
   */
  static CartComm torus(IntraComm comm) {
    return comm.cartCreate(Mpi.dimsCreate(comm.size(), 0, 0), new boolean[] {true, true}, true);
  }

  private static int border(int side, int parts, int part) {
    return (int) ((long) side * part / parts);
  }

  private int at(int row, int column) {
    return row * width + column;
  }

  /**
   * Lets generations pass.
   *
   * @param steps how many
   */
  void run(int steps) {
    try (Datatype<Byte> column = Datatype.vector(rows, 1, width, Datatype.INT8_T).commit()) {
      for (int step = 0; step < steps; step++) {
        exchange(column);
        advance();
      }
    }
  }

  private void exchange(Datatype<Byte> column) {
    CartComm.Shift right = grid.shift(1, 1);
    pass(column(1, column), right.source(), column(columns + 1, column), right.dest());
    pass(column(columns, column), right.dest(), column(0, column), right.source());
    CartComm.Shift down = grid.shift(0, 1);
    pass(row(1), down.source(), row(rows + 1), down.dest());
    pass(row(rows), down.dest(), row(0), down.source());
  }

  private void pass(Buf<Byte> mine, int to, Buf<Byte> theirs, int from) {
    grid.sendrecv(mine, to, TAG, theirs, from, TAG);
  }

  private Buf<Byte> column(int number, Datatype<Byte> column) {
    return Buf.of(cells, 1, column).at(at(1, number));
  }

  private Buf<Byte> row(int number) {
    return Buf.of(cells, at(number, 0), width);
  }

  private void advance() {
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= columns; j++) {
        int here = at(i, j);
        int around = cells[here - 1] + cells[here + 1];
        for (int k = here - 1; k <= here + 1; k++) {
          around += cells[k - width] + cells[k + width];
        }
        next[here] = (byte) (around == 3 || around == 2 && cells[here] == 1 ? 1 : 0);
      }
    }
    byte[] old = cells;
    cells = next;
    next = old;
  }

  /**
   * Adds the living cells of all ranks up.
   *
   * @param weighted whether each counts by where it is, so that different pictures have different sums
   * @return the same at all ranks, which call this together
   */
  long sum(boolean weighted) {
    long[] sum = {0};
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        if (cells[at(i + 1, j + 1)] == 1) {
          sum[0] += weighted ? (firstRow + i) * 1_000_003L + (firstColumn + j) * 7919L + 1 : 1;
        }
      }
    }
    grid.allreduce(Buf.of(sum), Op.SUM);
    return sum[0];
  }
}
