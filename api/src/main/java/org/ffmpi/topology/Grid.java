// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Arrays;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * A Cartesian grid of ranks in row-major order, in which the last coordinate runs fastest. Immutable. A grid of no
 * dimension has one place.
 */
public final class Grid {
  private final int[] dims;
  private final boolean[] periods;
  private final int size;

  private Grid(int[] dims, boolean[] periods, int size) {
    this.dims = dims;
    this.periods = periods;
    this.size = size;
  }

  /**
   * Checks and creates a grid.
   *
   * @param dims places along each dimension, at least 1
   * @param periods which dimensions close to rings; one entry for each
   * @param most how many places there may be
   * @return the grid
   * @throws MpiException ERR_DIMS when the dimensions make no grid of at most so many places, ERR_ARG when
   *     {@code periods} does not fit them
   */
  public static Grid of(int[] dims, boolean[] periods, int most) {
    if (dims == null) {
      throw MpiException.argument(ErrorClass.ERR_DIMS, "dims", null, "an array with one entry for each dimension");
    }
    if (periods == null || periods.length != dims.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, periods == null ? "periods" : "periods.length", periods == null ? null : periods.length,
          "arrays with one entry for each of the " + dims.length + " dimensions");
    }
    long size = 1;
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] < 1) {
        throw MpiException.argument(ErrorClass.ERR_DIMS, "dims[" + i + "]", dims[i], "1 or more");
      }
      size = Math.min(size * dims[i], Integer.MAX_VALUE + 1L);
    }
    if (size > most) {
      throw MpiException.argument(
          ErrorClass.ERR_DIMS, "dims", Arrays.toString(dims),
          "grids of at most " + most + " places, one for each rank");
    }
    return new Grid(dims.clone(), periods.clone(), (int) size);
  }

  /**
   * Returns the number of dimensions.
   *
   * @return 0 or more
   */
  public int ndims() {
    return dims.length;
  }

  /**
   * Returns the number of places.
   *
   * @return 1 or more
   */
  public int size() {
    return size;
  }

  /**
   * Returns the places along each dimension.
   *
   * @return a new array
   */
  public int[] dims() {
    return dims.clone();
  }

  /**
   * Returns which dimensions are rings.
   *
   * @return a new array
   */
  public boolean[] periods() {
    return periods.clone();
  }

  /**
   * Returns the coordinates of a rank.
   *
   * @param rank a rank of the grid
   * @return a new array
   */
  public int[] coords(int rank) {
    int[] coords = new int[dims.length];
    for (int i = dims.length - 1, rest = rank; i >= 0; i--) {
      coords[i] = rest % dims[i];
      rest /= dims[i];
    }
    return coords;
  }

  /**
   * Returns the rank at some coordinates.
   *
   * @param coords one for each dimension; along rings any number, which wraps around
   * @return the rank
   * @throws MpiException ERR_ARG when there are more or fewer coordinates than dimensions, ERR_RANK when one is beside
   *     the grid
   */
  public int rank(int[] coords) {
    if (coords == null || coords.length != dims.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "coords", Arrays.toString(coords), dims.length + " coordinates, one for each dimension");
    }
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      int coord = periods[i] ? Math.floorMod(coords[i], dims[i]) : coords[i];
      if (coord < 0 || coord >= dims[i]) {
        throw MpiException.argument(
            ErrorClass.ERR_RANK, "coords[" + i + "]", coord,
            "0.." + (dims[i] - 1) + " in this dimension, which is no ring");
      }
      rank = rank * dims[i] + coord;
    }
    return rank;
  }

  /**
   * Returns the rank some steps away along a dimension.
   *
   * @param rank a rank of the grid
   * @param direction a dimension
   * @param displacement how many steps upwards; may be negative
   * @return the rank; PROC_NULL beside the grid
   */
  public int neighbor(int rank, int direction, long displacement) {
    int stride = 1;
    for (int i = direction + 1; i < dims.length; i++) {
      stride *= dims[i];
    }
    int length = dims[direction];
    int coord = rank / stride % length;
    long moved = coord + displacement;
    if (periods[direction]) {
      moved = Math.floorMod(moved, (long) length);
    } else if (moved < 0 || moved >= length) {
      return Constants.PROC_NULL;
    }
    return rank + (int) (moved - coord) * stride;
  }

  /**
   * Returns a rank's neighbours in the order that neighbourhood collectives have (MPI-4.1 §8.6): dimension by
   * dimension, first the one below, then the one above.
   *
   * @param rank a rank of the grid
   * @return a new array of two entries for each dimension, PROC_NULL where the grid ends
   */
  public int[] neighbors(int rank) {
    int[] neighbors = new int[2 * dims.length];
    for (int i = 0; i < dims.length; i++) {
      neighbors[2 * i] = neighbor(rank, i, -1);
      neighbors[2 * i + 1] = neighbor(rank, i, 1);
    }
    return neighbors;
  }

  /**
   * Returns the order in which to receive messages that all neighbours send in the order of {@link #neighbors}. In each
   * dimension it is first from above, the origin of downward messages, also when both neighbours are one rank.
   *
   * @param neighbors how many there are
   * @return numbers of entries of {@link #neighbors}, a new array
   */
  public static int[] upperFirst(int neighbors) {
    int[] order = new int[neighbors];
    for (int i = 0; i < neighbors; i++) {
      order[i] = i ^ 1;
    }
    return order;
  }

  /**
   * Checks which dimensions to keep.
   *
   * @param remain one entry for each dimension
   * @throws MpiException ERR_ARG when there are more or fewer
   */
  public void checkRemain(boolean[] remain) {
    if (remain == null || remain.length != dims.length) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, remain == null ? "remainDims" : "remainDims.length",
          remain == null ? null : remain.length,
          "arrays with one entry for each of the " + dims.length + " dimensions");
    }
  }

  /**
   * Returns the grid of some of the dimensions.
   *
   * @param remain checked
   * @return a grid whose ranks are those of {@link #slice} in that order
   */
  public Grid sub(boolean[] remain) {
    int[] subDims = new int[dims.length];
    boolean[] subPeriods = new boolean[dims.length];
    int count = 0;
    int subSize = 1;
    for (int i = 0; i < dims.length; i++) {
      if (remain[i]) {
        subDims[count] = dims[i];
        subPeriods[count++] = periods[i];
        subSize *= dims[i];
      }
    }
    return new Grid(Arrays.copyOf(subDims, count), Arrays.copyOf(subPeriods, count), subSize);
  }

  /**
   * Returns the ranks that share a rank's coordinates in the dropped dimensions.
   *
   * @param rank a rank of the grid
   * @param remain checked
   * @return ranks of this grid in row-major order of the coordinates that are kept
   */
  public int[] slice(int rank, boolean[] remain) {
    int[] coords = coords(rank);
    int count = 1;
    for (int i = 0; i < dims.length; i++) {
      if (remain[i]) {
        coords[i] = 0;
        count *= dims[i];
      }
    }
    int[] members = new int[count];
    for (int m = 0; m < count; m++) {
      members[m] = rank(coords);
      for (int i = dims.length - 1; i >= 0; i--) {
        if (remain[i]) {
          if (++coords[i] < dims[i]) {
            break;
          }
          coords[i] = 0;
        }
      }
    }
    return members;
  }

  /**
   * Returns the pairs of ranks that exchange messages when each rank does so with its neighbours.
   *
   * @return each pair once for each way in which it is one
   */
  public Graph graph() {
    Graph.Builder graph = new Graph.Builder(size);
    for (int rank = 0; rank < size; rank++) {
      for (int i = 0; i < dims.length; i++) {
        int above = neighbor(rank, i, 1);
        if (above != Constants.PROC_NULL) {
          graph.add(rank, above, 1);
        }
      }
    }
    return graph.build();
  }
}
