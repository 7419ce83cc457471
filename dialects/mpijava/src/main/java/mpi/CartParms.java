// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What {@link Cartcomm#Get} returns. */
public class CartParms {
  /** Number of processes in each dimension. */
  public int[] dims;

  /** Whether each dimension is periodic. */
  public boolean[] periods;

  /** Coordinates of the calling process. */
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }
}
