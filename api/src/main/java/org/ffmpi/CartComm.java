// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.CartCommImpl;

/**
 * A communicator whose ranks lie on a Cartesian grid (MPI-4.1 §8.5), in row-major order: the last coordinate runs
 * fastest. Made by {@link IntraComm#cartCreate}.
 *
 * {@snippet :
 * int[] dims = Mpi.dimsCreate(world.size(), 0, 0);
 * try (CartComm grid = world.cartCreate(dims, new boolean[] {true, true}, true)) {
 *   CartComm.Shift down = grid.shift(0, 1);
 *   grid.sendrecv(lastRow, down.dest(), 0, haloAbove, down.source(), 0);
 * }
 * }
 *
 * <p>Duplicates have the same grid; other communicators that are made out of this one have none.
 */
public sealed interface CartComm extends TopologyComm permits CartCommImpl {
  /**
   * The two ranks of a shift.
   *
   * @param source rank that far below this one, which would send to it; {@code PROC_NULL} beside the grid
   * @param dest rank that far above this one, which would receive from it; {@code PROC_NULL} beside the grid
   */
  record Shift(int source, int dest) {}

  /**
   * Returns the number of dimensions ({@code MPI_Cartdim_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return 0 or more
   */
  @Standard({"MPI_Cartdim_get"})
  int ndims();

  /**
   * Returns how long the grid is along each dimension ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return a new array
   */
  @Standard({"MPI_Cart_get"})
  int[] dims();

  /**
   * Returns which dimensions close to rings ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return a new array
   */
  @Standard({"MPI_Cart_get"})
  boolean[] periods();

  /**
   * Returns where this rank is ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return its coordinates, a new array
   */
  @Standard({"MPI_Cart_get"})
  int[] coords();

  /**
   * Returns where a rank is ({@code MPI_Cart_coords}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return its coordinates, a new array
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Cart_coords"})
  int[] coords(int rank);

  /**
   * Returns the rank at some coordinates ({@code MPI_Cart_rank}, MPI-4.1 §8.5.5). Local.
   *
   * @param coords one coordinate for each dimension; along a ring any number, which is taken round
   * @return the rank
   * @throws MpiException ERR_RANK when a coordinate is beside the grid, ERR_ARG when there are more or fewer than
   *     dimensions
   */
  @Standard({"MPI_Cart_rank"})
  int rank(int... coords);

  /**
   * Returns the ranks with which this rank exchanges data when all data moves along a dimension
   * ({@code MPI_Cart_shift}, MPI-4.1 §8.5.6). Local.
   *
   * @param direction the dimension, from 0
   * @param disp how many steps upwards; negative for downwards
   * @return the source and the destination of the data
   * @throws MpiException ERR_DIMS when there is no such dimension
   */
  @Standard({"MPI_Cart_shift"})
  Shift shift(int direction, int disp);

  /**
   * Cuts the grid into grids of fewer dimensions ({@code MPI_Cart_sub}, MPI-4.1 §8.5.7). Collective: all ranks call it
   * with the same argument; seldom waits for any of them.
   *
   * @param remainDims which dimensions the parts keep
   * @return this rank's part, to be closed by the program; without a dimension when none is kept
   * @throws MpiException ERR_ARG when there are more or fewer entries than dimensions
   */
  @Standard({"MPI_Cart_sub"})
  CartComm sub(boolean... remainDims);

  @Override
  @Standard({"MPI_Comm_dup"})
  CartComm dup();

  @Override
  @Standard({"MPI_Comm_idup"})
  CommRequest<CartComm> idup();

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  CartComm dup(Info info);

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  CommRequest<CartComm> idup(Info info);
}
