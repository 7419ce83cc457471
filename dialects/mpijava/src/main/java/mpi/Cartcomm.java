// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.CartComm;
import org.ffmpi.Mpi;
import org.ffmpi.base.MpiException;

/** A communicator whose processes form a grid. */
public class Cartcomm extends Intracomm {
  private final CartComm cart;

  Cartcomm(CartComm cart) {
    super(cart);
    this.cart = cart;
  }

  /**
   * Makes a communicator of the same processes and grid ({@code MPI_Comm_dup}). Collective.
   *
   * @return a {@code Cartcomm}
   * @throws MPIException when the communicator cannot be used
   */
  @Override
  public Object clone() throws MPIException {
    return super.clone();
  }

  /**
   * Returns the rank at some coordinates ({@code MPI_Cart_rank}).
   *
   * @param coords one coordinate for each dimension; periodic ones may lie outside
   * @return the rank
   * @throws MPIException when the place does not exist
   */
  public int Rank(int[] coords) throws MPIException {
    int[] place = first("coords", coords, cart.ndims());
    try {
      return cart.rank(place);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the coordinates of a rank ({@code MPI_Cart_coords}).
   *
   * @param rank a rank
   * @return one coordinate for each dimension
   * @throws MPIException when the rank does not exist
   */
  public int[] Coords(int rank) throws MPIException {
    try {
      return cart.coords(rank);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns whom this process receives from and sends to when all shift data ({@code MPI_Cart_shift}).
   *
   * @param direction the dimension
   * @param disp how far; negative for downwards
   * @return the two ranks
   * @throws MPIException when the dimension does not exist
   */
  public ShiftParms Shift(int direction, int disp) throws MPIException {
    try {
      CartComm.Shift shift = cart.shift(direction, disp);
      return new ShiftParms(shift.source(), shift.dest());
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Makes communicators of the parts of the grid ({@code MPI_Cart_sub}). Collective.
   *
   * @param remain_dims for each dimension, whether it is kept
   * @return that of this process's part
   * @throws MPIException when the array is too short
   */
  public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
    boolean[] kept = first("remain_dims", remain_dims, cart.ndims());
    try {
      return new Cartcomm(cart.sub(kept));
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the rank that this process would have in a grid ({@code MPI_Cart_map}).
   *
   * @param dims number of processes in each dimension
   * @param periods whether each dimension is periodic
   * @return the rank, or {@code MPI.UNDEFINED}
   * @throws MPIException when the grid does not exist
   */
  public int Map(int[] dims, boolean[] periods) throws MPIException {
    boolean[] all = dims == null ? periods : first("periods", periods, dims.length);
    try {
      return Codes.defined(cart.cartMap(dims, all));
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the grid ({@code MPI_Cartdim_get}, {@code MPI_Cart_get}).
   *
   * @return dimensions, and the coordinates of this process
   * @throws MPIException when the communicator cannot be used
   */
  public CartParms Get() throws MPIException {
    try {
      return new CartParms(cart.dims(), cart.periods(), cart.coords());
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the kind of topology ({@code MPI_Topo_test}).
   *
   * @return {@code MPI.CART}
   * @throws MPIException never
   */
  @Override
  public int Topo_test() throws MPIException {
    return super.Topo_test();
  }

  /**
   * Chooses the dimensions of a grid ({@code MPI_Dims_create}).
   *
   * @param nnodes number of processes
   * @param dims for each dimension its length, or 0 to have it chosen; filled
   * @throws MPIException when no grid of so many processes has such dimensions
   */
  public static void Dims_create(int nnodes, int[] dims) throws MPIException {
    if (dims == null) {
      throw Errors.raised(Errors.argument("dims", null, "an array with an entry for each dimension"));
    }
    try {
      int[] chosen = Mpi.dimsCreate(nnodes, dims);
      System.arraycopy(chosen, 0, dims, 0, dims.length);
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }
}
