// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/**
 * The part of the plate that one rank computes, a rectangle of cells.
 *
 * @param size cells in a row, and rows on the whole plate
 * @param first number of the block's first row on the plate
 * @param rows how many rows the block has, at least 1
 * @param firstColumn number of the block's first column on the plate
 * @param columns how many columns the block has, at least 1
 */
record Block(int size, int first, int rows, int firstColumn, int columns) {
  /** Creates a block of whole rows. */
  Block(int size, int first, int rows) {
    this(size, first, rows, 0, size);
  }

  /**
   * Cuts the plate into blocks of whole rows, which follow each other in rank order and differ by at most one row.
   *
   * @param size cells along an edge
   * @param ranks how many blocks, at most {@code size}
   * @param rank whose block
   */
  static Block of(int size, int ranks, int rank) {
    int first = border(size, ranks, rank);
    return new Block(size, first, border(size, ranks, rank + 1) - first);
  }

  /**
   * Cuts the plate in both directions.
   *
   * @param size cells along an edge
   * @param dims how many blocks there are above each other, and side by side
   * @param coords which one
   */
  static Block of(int size, int[] dims, int[] coords) {
    int first = border(size, dims[0], coords[0]);
    int firstColumn = border(size, dims[1], coords[1]);
    return new Block(size, first, border(size, dims[0], coords[0] + 1) - first,
        firstColumn, border(size, dims[1], coords[1] + 1) - firstColumn);
  }

  private static int border(int size, int parts, int part) {
    return (int) ((long) size * part / parts);
  }
}
