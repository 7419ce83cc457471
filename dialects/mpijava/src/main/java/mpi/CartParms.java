// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The grid of a communicator, as {@link Cartcomm#Get} returns it. */
public class CartParms {
  /** Number of processes in each dimension. */
  public int[] dims;

  /** True for periodic dimensions. */
  public boolean[] periods;

  /** Coordinates of the calling process. */
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }
}
