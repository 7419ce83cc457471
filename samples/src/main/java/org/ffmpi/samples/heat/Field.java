// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.Buf;
import org.ffmpi.Mpi;

/**
 * The temperatures of one block: those of the present moment and room for those of the next. Rows 1 to
 * {@code block.rows()} are the block's own; rows 0 and {@code block.rows() + 1} are the halo, copies of the neighbours'
 * nearest rows, or of the plate's edge, where they stay 0. A block of a grid has halo columns as well.
 *
 * <p>One implementation per way of reaching memory, because a loop that has seen both arrays and segments is compiled
 * for neither.
 */
abstract sealed class Field implements AutoCloseable permits ArrayField, SegmentField, GridField {
  private final Block block;
  private Edges edgesNow;
  private Edges edgesNext;

  Field(Block block) {
    this.block = block;
  }

  /**
   * Makes a field of zeros.
   *
   * @param mpi for memory that the ranks share
   * @param block which rows of the plate
   * @param options the kind of memory, and whether the plate is cut in both directions
   */
  static Field of(Mpi mpi, Block block, HeatOptions options) {
    return options.grid() ? new GridField(block) : of(mpi, block, options.buffers());
  }

  /** Makes a field of zeros for a block of whole rows. */
  static Field of(Mpi mpi, Block block, HeatOptions.Buffers buffers) {
    return switch (buffers) {
      case HEAP -> new ArrayField(block);
      case NATIVE -> SegmentField.inNativeMemory(block);
      case SHARED -> SegmentField.in(mpi.shared(), block);
    };
  }

  /** Returns which rows of the plate these are. */
  final Block block() {
    return block;
  }

  /** Computes rows {@code first} to {@code last} of the next moment from those of the present one. */
  abstract void advance(int first, int last);

  /** Computes the first and the last column again, when the cells beside the block are there. */
  void advanceSides() {}

  /** Makes the next moment the present one. */
  final void flip() {
    flipCells();
    Edges edges = edgesNow;
    edgesNow = edgesNext;
    edgesNext = edges;
  }

  /** Exchanges the cells of the present moment and those of the next. */
  abstract void flipCells();

  /** Copies a row of the present moment into an array. */
  abstract void read(int row, double[] into);

  /** Fills a row of the present moment. */
  abstract void write(int row, double[] from);

  /** Returns the rows and columns that are exchanged, of the present moment. */
  final Edges edges() {
    return edgesNow;
  }

  /** Sets the rows and columns that are exchanged, for the cells of the present moment and for those of the next. */
  final void setEdges(Edges now, Edges next) {
    edgesNow = now;
    edgesNext = next;
  }

  /** Frees the types of columns. */
  @Override
  public void close() {}

  /**
   * The rows that two neighbours exchange, as buffers that are made once and kept.
   *
   * @param above the halo above the block
   * @param first the block's first row
   * @param last the block's last row
   * @param below the halo below the block
   * @param sides the columns that are exchanged, or null when the block has whole rows
   */
  record Edges(Buf<Double> above, Buf<Double> first, Buf<Double> last, Buf<Double> below, Sides sides) {
    Edges(Buf<Double> above, Buf<Double> first, Buf<Double> last, Buf<Double> below) {
      this(above, first, last, below, null);
    }
  }

  /**
   * The columns that two neighbours exchange.
   *
   * @param left the halo to the left of the block
   * @param first the block's first column
   * @param last the block's last column
   * @param right the halo to the right of the block
   */
  record Sides(Buf<Double> left, Buf<Double> first, Buf<Double> last, Buf<Double> right) {}
}
