// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.lang.foreign.SegmentAllocator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Win;

/**
 * The temperatures of all ranks as one window: each rank reads the nearest rows of its neighbours, who do nothing for
 * it. Between two fences the rows of the present moment are read, and those of the next one are written, which no rank
 * reads.
 */
final class RowWindow implements AutoCloseable {
  private final IntraComm comm;
  private final int size;
  private final Win win;
  private final SegmentField field;
  private boolean second;

  /**
   * Makes the window; all ranks do so together.
   *
   * @param comm the ranks in the order of their rows
   * @param block this rank's rows
   */
  RowWindow(IntraComm comm, Block block) {
    this.comm = comm;
    this.size = block.size();
    this.win = comm.winAllocate(SegmentField.bytes(block), Double.BYTES);
    this.field = SegmentField.in(SegmentAllocator.slicingAllocator(win.segment()), block);
    win.fence();
  }

  /** Returns this rank's block in the window. */
  Field field() {
    return field;
  }

  /** Begins to read the rows beside the block. */
  void begin(Field.Edges edges, Neighbours neighbours) {
    win.fence(); // the neighbours have written them
    int above = neighbours.above();
    int below = neighbours.below();
    read(edges.above(), above, above < 0 ? 0 : block(above).rows());
    read(edges.below(), below, 1);
    second = !second;
  }

  private void read(Buf<Double> into, int rank, int row) {
    long moment = second && rank >= 0 ? SegmentField.distance(block(rank)) : 0;
    win.get(into, rank, moment + (long) row * size); // of PROC_NULL beyond the plate's edge: nothing
  }

  private Block block(int rank) {
    return Block.of(size, comm.size(), rank);
  }

  /** Ends reading: the rows are there. */
  void end() {
    win.fence();
  }

  @Override
  public void close() {
    win.close();
  }
}
