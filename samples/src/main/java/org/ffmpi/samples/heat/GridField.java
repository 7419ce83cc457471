// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * A field that has neighbours on all four sides: row after row in one array, with a cell of halo at both ends of each
 * row. A column is not contiguous: it travels as a vector type, which picks one cell out of each row.
 */
final class GridField extends Field {
  private final int rows;
  private final int columns;
  /** Cells from one row to the next. */
  private final int width;
  private final Datatype<Double> column;
  private final double[] above;
  private final double[] here;
  private final double[] below;
  private final double[] left;
  private final double[] right;
  private final double[] result;
  private double[] now;
  private double[] next;

  GridField(Block block) {
    super(block);
    rows = block.rows();
    columns = block.columns();
    width = columns + 2;
    column = Datatype.vector(rows, 1, width, Datatype.DOUBLE).commit();
    above = new double[columns];
    here = new double[columns];
    below = new double[columns];
    left = new double[columns];
    right = new double[columns];
    result = new double[columns];
    now = new double[(rows + 2) * width];
    next = new double[now.length];
    setEdges(edges(now), edges(next));
  }

  private int at(int row, int column) {
    return row * width + column;
  }

  private Edges edges(double[] cells) {
    Sides sides = new Sides(column(cells, 0), column(cells, 1), column(cells, columns), column(cells, columns + 1));
    return new Edges(row(cells, 0), row(cells, 1), row(cells, rows), row(cells, rows + 1), sides);
  }

  private Buf<Double> row(double[] cells, int number) {
    return Buf.of(cells, at(number, 1), columns);
  }

  private Buf<Double> column(double[] cells, int number) {
    return Buf.of(cells, 1, column).at((long) at(1, number) * Double.BYTES);
  }

  @Override
  void advance(int first, int last) {
    for (int i = first; i <= last; i++) {
      System.arraycopy(now, at(i - 1, 1), above, 0, columns);
      System.arraycopy(now, at(i, 1), here, 0, columns);
      System.arraycopy(now, at(i + 1, 1), below, 0, columns);
      // The cells beside the block may be on their way: advanceSides computes the two columns that need them.
      Stencil.shift(here, left, right, columns);
      Stencil.row(above, here, below, left, right, result, columns);
      System.arraycopy(result, 0, next, at(i, 1), columns);
    }
  }

  @Override
  void advanceSides() {
    for (int i = 1; i <= rows; i++) {
      advanceCell(at(i, 1));
      advanceCell(at(i, columns));
    }
  }

  private void advanceCell(int cell) {
    next[cell] = Stencil.cell(now[cell - width], now[cell], now[cell + width], now[cell - 1], now[cell + 1]);
  }

  @Override
  void flipCells() {
    double[] cells = now;
    now = next;
    next = cells;
  }

  @Override
  void read(int row, double[] into) {
    System.arraycopy(now, at(row, 1), into, 0, columns);
  }

  @Override
  void write(int row, double[] from) {
    System.arraycopy(from, 0, now, at(row, 1), columns);
  }

  @Override
  public void close() {
    column.close();
  }
}
