// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The grid of a communicator, and the coordinates of this rank ({@code MPI_Cart_get}). */
public final class CartParms {
  private final int[] dims;
  private final boolean[] periods;
  private final int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }

  /**
   * Returns the number of dimensions.
   *
   * @return 0 or more
   */
  public int getDimCount() {
    return dims.length;
  }

  /**
   * Returns the ranks along a dimension.
   *
   * @param i a dimension
   * @return 1 or more
   */
  public int getDim(int i) {
    return dims[i];
  }

  /**
   * Returns whether a dimension is a ring.
   *
   * @param i a dimension
   * @return true when the last rank's neighbour is the first
   */
  public boolean getPeriod(int i) {
    return periods[i];
  }

  /**
   * Returns where this rank is along a dimension.
   *
   * @param i a dimension
   * @return a coordinate
   */
  public int getCoord(int i) {
    return coords[i];
  }
}
