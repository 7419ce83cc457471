// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.IntraComm;
import org.ffmpi.Requests;
import org.ffmpi.base.Constants;

/** Advances one rank's block through time, together with all other ranks. */
final class HeatSolver {
  private static final int UPWARDS = 0;
  private static final int DOWNWARDS = 1;

  private final IntraComm world;
  private final Field field;
  private final int rankAbove;
  private final int rankBelow;

  /**
   * Creates a solver.
   *
   * @param world the ranks whose blocks, in rank order, make up the plate
   * @param field this rank's block, with its initial temperatures
   */
  HeatSolver(IntraComm world, Field field) {
    this.world = world;
    this.field = field;
    int rank = world.rank();
    // Messages to and from PROC_NULL do nothing: the halo beyond the plate's edge keeps its zeros.
    rankAbove = rank == 0 ? Constants.PROC_NULL : rank - 1;
    rankBelow = rank == world.size() - 1 ? Constants.PROC_NULL : rank + 1;
  }

  /** Makes one time step. */
  void step() {
    int rows = field.block().rows();
    Field.Edges edges = field.edges();
    try (Requests halo = world.requests()) {
      halo.irecv(edges.above(), rankAbove, DOWNWARDS);
      halo.irecv(edges.below(), rankBelow, UPWARDS);
      halo.isend(edges.first(), rankAbove, UPWARDS);
      halo.isend(edges.last(), rankBelow, DOWNWARDS);
      field.advance(2, rows - 1); // the rows that need no halo
      halo.await();
    }
    field.advance(1, 1);
    if (rows > 1) {
      field.advance(rows, rows);
    }
    field.flip();
  }
}
