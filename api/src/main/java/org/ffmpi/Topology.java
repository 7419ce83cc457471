// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** The kinds of topology that a communicator can have (MPI-4.1 §8.5.5). */
public enum Topology {
  /** Any graph, known as a whole to every rank: a {@link GraphComm}. */
  @Standard({"MPI_GRAPH"})
  GRAPH(Constants.GRAPH),

  /** A Cartesian grid: a {@link CartComm}. */
  @Standard({"MPI_CART"})
  CART(Constants.CART),

  /** Any graph, of which each rank knows its neighbours: a {@link DistGraphComm}. */
  @Standard({"MPI_DIST_GRAPH"})
  DIST_GRAPH(Constants.DIST_GRAPH),

  /** None. */
  UNDEFINED(Constants.UNDEFINED);

  private final int code;

  Topology(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this kind in the MPI-5 binary interface.
   *
   * @return the constant of the same name in {@link Constants}
   */
  public int code() {
    return code;
  }
}
