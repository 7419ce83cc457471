// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;

/**
 * The ranks whose blocks lie around a block. Messages to and from {@link Mpi#PROC_NULL} do nothing: the halo
 * beyond the plate's edge keeps its zeros.
 *
 * @param above rank of the block above, or {@code PROC_NULL}
 * @param below rank of the block below, or {@code PROC_NULL}
 * @param left rank of the block to the left, or {@code PROC_NULL}
 * @param right rank of the block to the right, or {@code PROC_NULL}
 */
record Neighbours(int above, int below, int left, int right) {
  /** Finds the neighbours of blocks of rows in rank order, or on a grid of ranks. */
  static Neighbours in(IntraComm comm) {
    if (comm instanceof CartComm grid) {
      CartComm.Shift down = grid.shift(0, 1);
      CartComm.Shift right = grid.shift(1, 1);
      return new Neighbours(down.source(), down.dest(), right.source(), right.dest());
    }
    int rank = comm.rank();
    return new Neighbours(
        rank == 0 ? Mpi.PROC_NULL : rank - 1,
        rank == comm.size() - 1 ? Mpi.PROC_NULL : rank + 1,
        Mpi.PROC_NULL,
        Mpi.PROC_NULL);
  }
}
