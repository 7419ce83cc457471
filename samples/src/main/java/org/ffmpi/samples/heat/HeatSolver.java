// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.IntraComm;
import org.ffmpi.Requests;

/** Advances one rank's block through time, together with all other ranks. */
final class HeatSolver {
  private static final int UPWARDS = 0;
  private static final int DOWNWARDS = 1;
  private static final int LEFTWARDS = 2;
  private static final int RIGHTWARDS = 3;

  private final IntraComm comm;
  private final Field field;
  private final Neighbours neighbours;
  private final RowWindow window;
  private final boolean computesMeanwhile;

  /** Creates a solver whose neighbours send each other their rows while they compute. */
  HeatSolver(IntraComm comm, Field field) {
    this(comm, field, null, true);
  }

  /**
   * Creates a solver.
   *
   * @param comm the ranks whose blocks make up the plate, in rank order or as a grid
   * @param field this rank's block, with its initial temperatures
   * @param window where neighbours read each other's rows, or null where they send them
   * @param computesMeanwhile whether rows that need none of the neighbours' are computed while these are sent
   */
  HeatSolver(IntraComm comm, Field field, RowWindow window, boolean computesMeanwhile) {
    this.comm = comm;
    this.field = field;
    this.window = window;
    this.computesMeanwhile = computesMeanwhile;
    this.neighbours = Neighbours.in(comm);
  }

  /** Makes one time step. */
  void step() {
    int rows = field.block().rows();
    if (window != null) {
      window.begin(field.edges(), neighbours);
      field.advance(2, rows - 1);
      window.end();
    } else {
      try (Requests halo = comm.requests()) {
        exchange(halo, field.edges());
        if (computesMeanwhile) {
          field.advance(2, rows - 1); // the rows that need no halo
        }
        halo.await();
      }
      if (!computesMeanwhile) {
        field.advance(2, rows - 1);
      }
    }
    field.advance(1, 1);
    if (rows > 1) {
      field.advance(rows, rows);
    }
    field.advanceSides();
    field.flip();
  }

  private void exchange(Requests halo, Field.Edges edges) {
    halo.irecv(edges.above(), neighbours.above(), DOWNWARDS);
    halo.irecv(edges.below(), neighbours.below(), UPWARDS);
    halo.isend(edges.first(), neighbours.above(), UPWARDS);
    halo.isend(edges.last(), neighbours.below(), DOWNWARDS);
    Field.Sides sides = edges.sides();
    if (sides != null) {
      halo.irecv(sides.left(), neighbours.left(), RIGHTWARDS);
      halo.irecv(sides.right(), neighbours.right(), LEFTWARDS);
      halo.isend(sides.first(), neighbours.left(), LEFTWARDS);
      halo.isend(sides.last(), neighbours.right(), RIGHTWARDS);
    }
  }
}
