// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.Buf;
import org.ffmpi.Mpi;

/**
 * The temperatures of one block: those of the present moment and room for those of the next. Rows 1 to
 * {@code block.rows()} are the block's own; rows 0 and {@code block.rows() + 1} are the halo, copies of the neighbours'
 * nearest rows, or of the plate's edge, where they stay 0.
 *
 * <p>One implementation per way of reaching memory, because a loop that has seen both arrays and segments is compiled
 * for neither.
 */
abstract sealed class Field permits ArrayField, SegmentField {
  private final Block block;

  Field(Block block) {
    this.block = block;
  }

  /**
   * Makes a field of zeros.
   *
   * @param mpi for memory that the ranks share
   * @param block which rows of the plate
   * @param buffers which kind of memory
   */
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

  /** Makes the next moment the present one. */
  abstract void flip();

  /** Copies a row of the present moment into an array. */
  abstract void read(int row, double[] into);

  /** Fills a row of the present moment. */
  abstract void write(int row, double[] from);

  /** Returns the rows that are exchanged, of the present moment. */
  abstract Edges edges();

  /**
   * The rows that two neighbours exchange, as buffers that are made once and kept.
   *
   * @param above the halo above the block
   * @param first the block's first row
   * @param last the block's last row
   * @param below the halo below the block
   */
  record Edges(Buf<Double> above, Buf<Double> first, Buf<Double> last, Buf<Double> below) {}
}
