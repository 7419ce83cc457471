// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.ffmpi.topology.Grid;

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
public final class CartComm extends TopologyComm {
  private final Grid grid;

  CartComm(World world, Channel channel, Errhandler<? super Comm> errhandler, Grid grid) {
    this(world, channel, errhandler, grid, grid.neighbors(channel.rank()));
  }

  private CartComm(
      World world, Channel channel, Errhandler<? super Comm> errhandler, Grid grid, int[] neighbors) {
    super(world, channel, errhandler, neighbors, neighbors, Grid.upperFirst(neighbors.length));
    this.grid = grid;
  }

  /**
   * The two ranks of a shift.
   *
   * @param source who is that far below this rank, and would send to it; {@code PROC_NULL} beside the grid
   * @param dest who is that far above this rank, and would receive from it; {@code PROC_NULL} beside the grid
   */
  public record Shift(int source, int dest) {}

  @Override
  @Standard({"MPI_Topo_test"})
  public Topology topology() {
    checkOpen();
    return Topology.CART;
  }

  /**
   * Returns the number of dimensions ({@code MPI_Cartdim_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return 0 or more
   */
  @Standard({"MPI_Cartdim_get"})
  public int ndims() {
    checkOpen();
    return grid.ndims();
  }

  /**
   * Returns how long the grid is along each dimension ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return a new array
   */
  @Standard({"MPI_Cart_get"})
  public int[] dims() {
    checkOpen();
    return grid.dims();
  }

  /**
   * Returns which dimensions close to rings ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return a new array
   */
  @Standard({"MPI_Cart_get"})
  public boolean[] periods() {
    checkOpen();
    return grid.periods();
  }

  /**
   * Returns where this rank is ({@code MPI_Cart_get}, MPI-4.1 §8.5.5). Local.
   *
   * @return its coordinates, a new array
   */
  @Standard({"MPI_Cart_get"})
  public int[] coords() {
    checkOpen();
    return grid.coords(rank());
  }

  /**
   * Returns where a rank is ({@code MPI_Cart_coords}, MPI-4.1 §8.5.5). Local.
   *
   * @param rank a rank of this communicator
   * @return its coordinates, a new array
   * @throws MpiException ERR_RANK when there is no such rank
   */
  @Standard({"MPI_Cart_coords"})
  public int[] coords(int rank) {
    checkOpen();
    checkMember(rank);
    return grid.coords(rank);
  }

  /**
   * Returns who is somewhere ({@code MPI_Cart_rank}, MPI-4.1 §8.5.5). Local.
   *
   * @param coords one coordinate for each dimension; along a ring any number, which is taken round
   * @return the rank
   * @throws MpiException ERR_RANK when a coordinate is beside the grid, ERR_ARG when there are more or fewer than
   *     dimensions
   */
  @Standard({"MPI_Cart_rank"})
  public int rank(int... coords) {
    checkOpen();
    try {
      return grid.rank(coords);
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Returns with whom this rank exchanges data when all data moves along a dimension ({@code MPI_Cart_shift}, MPI-4.1
   * §8.5.6). Local.
   *
   * @param direction the dimension, from 0
   * @param disp how many steps upwards; negative for downwards
   * @return whom the data comes from, and whom it goes to
   * @throws MpiException ERR_DIMS when there is no such dimension
   */
  @Standard({"MPI_Cart_shift"})
  public Shift shift(int direction, int disp) {
    checkOpen();
    if (direction < 0 || direction >= grid.ndims()) {
      String allowed = grid.ndims() == 0 ? "none, since the grid has no dimension" : "0.." + (grid.ndims() - 1);
      throw raise(MpiException.argument(ErrorClass.ERR_DIMS, "direction", direction, allowed));
    }
    return new Shift(grid.neighbor(rank(), direction, -(long) disp), grid.neighbor(rank(), direction, disp));
  }

  /**
   * Cuts the grid into grids of fewer dimensions ({@code MPI_Cart_sub}, MPI-4.1 §8.5.7). Collective: all ranks call it
   * with the same argument; seldom waits for any of them.
   *
   * @param remainDims which dimensions the parts keep
   * @return this rank's part, to be closed by the program; without a dimension when none is kept
   * @throws MpiException ERR_ARG when there are more or fewer entries than dimensions
   */
  @Standard({"MPI_Cart_sub"})
  public CartComm sub(boolean... remainDims) {
    checkOpen();
    long next = nextContext();
    try {
      grid.checkRemain(remainDims);
    } catch (MpiException e) {
      throw raise(e);
    }
    int[] peers = grid.slice(rank(), remainDims);
    for (int i = 0; i < peers.length; i++) {
      peers[i] = channel.peer(peers[i]);
    }
    return new CartComm(world, new Channel(engine, next, Members.of(peers)), errhandler(), grid.sub(remainDims));
  }

  private void checkMember(int rank) {
    if (rank < 0 || rank >= size()) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "rank", rank, "0.." + (size() - 1)));
    }
  }

  @Override
  @Standard({"MPI_Comm_dup"})
  public CartComm dup() {
    return (CartComm) super.dup();
  }

  @Override
  @Standard({"MPI_Comm_idup"})
  @SuppressWarnings("unchecked") // what copy() makes
  public CommRequest<CartComm> idup() {
    return (CommRequest<CartComm>) super.idup();
  }

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  public CartComm dup(Info info) {
    return (CartComm) super.dup(info);
  }

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  @SuppressWarnings("unchecked") // what copy() makes
  public CommRequest<CartComm> idup(Info info) {
    return (CommRequest<CartComm>) super.idup(info);
  }

  @Override
  CartComm copy(Channel duplicate) {
    return new CartComm(world, duplicate, errhandler(), grid);
  }
}
