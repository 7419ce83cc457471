// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import org.ffmpi.*;
import org.ffmpi.datatype.*;

/** Heat flows down a plate from its upper edge; each rank has a rectangle of the plate and a halo around it. */
public class Halo {
  static final int ROWS = 16;                                       // cells of the whole plate
  static final int COLUMNS = 48;
  static final int STEPS = 300;

  final CartComm grid;
  final int rows;                                                   // cells of this rank
  final int columns;
  final int width;                                                  // of a row, with the halo
  final double[] cells;

  Halo(CartComm grid) {
    this.grid = grid;
    this.rows = ROWS / grid.dims()[0];
    this.columns = COLUMNS / grid.dims()[1];
    this.width = columns + 2;
    this.cells = new double[(rows + 2) * width];
    if (grid.coords()[0] == 0) {
      Arrays.fill(cells, 0, width, 100);                            // above the plate: always hot
    }
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      int[] dims = Mpi.dimsCreate(mpi.world().size(), 0, 0);        // 4 ranks: 2 x 2
      try (CartComm grid = mpi.world().cartCreate(dims, new boolean[] {false, false}, true)) {
        Halo part = new Halo(grid);
        part.run();
        part.show();
      }
    });
  }

  void run() {
    CartComm.Shift down = grid.shift(0, 1);                         // the ranks above and below, or PROC_NULL
    CartComm.Shift right = grid.shift(1, 1);                        // to the left and to the right
    Datatype<Double> column = Datatype.vector(rows, 1, width, Datatype.DOUBLE).commit();
    double[] next = cells.clone();
    for (int step = 0; step < STEPS; step++) {
      try (Requests halo = grid.requests()) {
        halo.irecv(Buf.of(cells, at(0, 1), columns), down.source(), 0);
        halo.irecv(Buf.of(cells, at(rows + 1, 1), columns), down.dest(), 0);
        halo.irecv(Buf.of(cells, 8L * at(1, 0), 1, column), right.source(), 0);
        halo.irecv(Buf.of(cells, 8L * at(1, columns + 1), 1, column), right.dest(), 0);
        halo.isend(Buf.of(cells, at(1, 1), columns), down.source(), 0);
        halo.isend(Buf.of(cells, at(rows, 1), columns), down.dest(), 0);
        halo.isend(Buf.of(cells, 8L * at(1, 1), 1, column), right.source(), 0);
        halo.isend(Buf.of(cells, 8L * at(1, columns), 1, column), right.dest(), 0);
        halo.await();
      }
      for (int i = 1; i <= rows; i++) {
        for (int k = at(i, 1); k <= at(i, columns); k++) {
          next[k] = 0.25 * (cells[k - width] + cells[k + width] + cells[k - 1] + cells[k + 1]);
        }
      }
      System.arraycopy(next, width, cells, width, rows * width);
    }
  }

  int at(int row, int column) {
    return row * width + column;
  }

  /** Collects the plate at rank 0, rectangle by rectangle, and draws it. */
  void show() {
    Datatype<Double> inner = rectangle(rows + 2, width, 1, 1);
    double[] plate = new double[ROWS * COLUMNS];
    try (Requests all = grid.requests()) {
      for (int r = 0; grid.rank() == 0 && r < grid.size(); r++) {
        int[] place = grid.coords(r);
        all.irecv(Buf.of(plate, 1, rectangle(ROWS, COLUMNS, place[0] * rows, place[1] * columns)), r, 1);
      }
      all.isend(Buf.of(cells, 1, inner), 0, 1);
      all.await();
    }
    for (int i = 0; grid.rank() == 0 && i < ROWS; i++) {
      StringBuilder line = new StringBuilder();
      for (int j = 0; j < COLUMNS; j++) {
        line.append(".,:;=+*#%@".charAt((int) (plate[i * COLUMNS + j] / 10)));
      }
      System.out.println(line);
    }
  }

  /** Returns the type of this rank's number of cells somewhere in a larger rectangle. */
  Datatype<Double> rectangle(int height, int length, int row, int column) {
    return Datatype.subarray(new long[] {height, length}, new long[] {rows, columns}, new long[] {row, column},
        Datatype.Order.C, Datatype.DOUBLE).commit();
  }
}
