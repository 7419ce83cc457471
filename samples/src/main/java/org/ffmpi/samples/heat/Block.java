// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

/**
 * The rows of the plate that one rank computes. Blocks follow each other in rank order and differ by at most one row.
 *
 * @param size cells in a row, and rows on the whole plate
 * @param first number of the block's first row on the plate
 * @param rows how many rows the block has, at least 1
 */
record Block(int size, int first, int rows) {
  /**
   * Cuts the plate.
   *
   * @param size cells along an edge
   * @param ranks how many blocks, at most {@code size}
   * @param rank whose block
   */
  static Block of(int size, int ranks, int rank) {
    int first = (int) ((long) size * rank / ranks);
    int end = (int) ((long) size * (rank + 1) / ranks);
    return new Block(size, first, end - first);
  }

  /** Returns whether a row of the plate is in this block. */
  boolean has(int row) {
    return row >= first && row < first + rows;
  }
}
