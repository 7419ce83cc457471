// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.cg;

import java.util.Arrays;
import org.ffmpi.Comm;

/**
 * One rank's rows of a square sparse matrix, row after row, without zeros. The rows of all ranks follow each
 * other in rank order.
 */
public final class SparseRows {
  private final int size;
  private final int first;
  /** The beginning of each row in the other two arrays, and the end of the last one. */
  private final int[] starts;
  private final int[] columns;
  private final double[] values;

  private SparseRows(int size, int first, int[] starts, int[] columns, double[] values) {
    this.size = size;
    this.first = first;
    this.starts = starts;
    this.columns = columns;
    this.values = values;
  }

  /**
   * Returns the first row of a rank.
   *
   * @param size rows of the whole matrix
   * @param ranks how many blocks there are
   * @param rank whose block; {@code ranks} for the end of all
   * @return its number
   */
  static int border(int size, int ranks, int rank) {
    return (int) ((long) size * rank / ranks);
  }

  /**
   * Returns how many rows and columns the whole matrix has.
   *
   * @return the number
   */
  public int size() {
    return size;
  }

  /**
   * Returns how many rows this rank has.
   *
   * @return the number
   */
  public int rows() {
    return starts.length - 1;
  }

  /** Returns the number of this rank's first row. */
  int first() {
    return first;
  }

  /** Returns how many entries this rank's rows have. */
  int entries() {
    return columns.length;
  }

  /** Returns the column of an entry. */
  int column(int entry) {
    return columns[entry];
  }

  /** Returns these rows with other numbers for the columns, in the order of entries. */
  SparseRows withColumns(int[] others) {
    return new SparseRows(size, first, starts, others, values);
  }

  /** Returns whether all columns of a row are smaller than {@code limit}. */
  boolean isBelow(int row, int limit) {
    for (int k = starts[row]; k < starts[row + 1]; k++) {
      if (columns[k] >= limit) {
        return false;
      }
    }
    return true;
  }

  /** Computes {@code y[row]}, the product of a row and {@code x}, for some rows. */
  void multiply(int[] someRows, double[] x, double[] y) {
    for (int row : someRows) {
      double sum = 0;
      for (int k = starts[row], end = starts[row + 1]; k < end; k++) {
        sum += values[k] * x[columns[k]];
      }
      y[row] = sum;
    }
  }

  /** Collects the entries of one rank's rows, in any order. */
  static final class Builder {
    private final int size;
    private final int first;
    private final int end;
    private int count;
    private int[] rows = new int[1024];
    private int[] columns = new int[1024];
    private double[] values = new double[1024];

    Builder(int size, Comm comm) {
      this.size = size;
      first = border(size, comm.size(), comm.rank());
      end = border(size, comm.size(), comm.rank() + 1);
    }

    /** Returns the number of this rank's first row. */
    int first() {
      return first;
    }

    /** Returns the number behind that of this rank's last row. */
    int end() {
      return end;
    }

    /** Adds an entry; rows of other ranks are left out. */
    void add(int row, int column, double value) {
      if (row < first || row >= end) {
        return;
      }
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 2 * count);
        columns = Arrays.copyOf(columns, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      rows[count] = row - first;
      columns[count] = column;
      values[count] = value;
      count++;
    }

    /** Returns the rows; entries of a row keep the order in which they were added. */
    SparseRows build() {
      int[] starts = new int[end - first + 1];
      for (int k = 0; k < count; k++) {
        starts[rows[k] + 1]++;
      }
      for (int row = 0; row < end - first; row++) {
        starts[row + 1] += starts[row];
      }
      int[] next = starts.clone();
      int[] sortedColumns = new int[count];
      double[] sortedValues = new double[count];
      for (int k = 0; k < count; k++) {
        int to = next[rows[k]]++;
        sortedColumns[to] = columns[k];
        sortedValues[to] = values[k];
      }
      return new SparseRows(size, first, starts, sortedColumns, sortedValues);
    }
  }
}
