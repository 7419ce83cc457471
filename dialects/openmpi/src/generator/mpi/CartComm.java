// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.CommRequest;
import org.ffmpi.Mpi;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/** A grid of ranks. */
public final class CartComm extends Intracomm {
  //text return CartComm  the duplicate

  /** Wraps a communicator of ffmpi; null is {@code MPI_COMM_NULL}. */
  CartComm(org.ffmpi.Comm comm) {
    super(comm);
  }

  /** Wraps a communicator that is being made. */
  CartComm(CommRequest<?> making) {
    super(making);
  }

  private org.ffmpi.CartComm grid() {
    return (org.ffmpi.CartComm) comm();
  }

  private int[] first(int[] numbers) {
    try {
      return Arguments.first("coords", numbers, grid().ndims());
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  private boolean[] first(boolean[] entries) {
    try {
      return Arguments.first("remainDims", entries, grid().ndims());
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public CartComm clone() throws MPIException {
    return dup();
  }

  //calls error(e)
  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public CartComm dup() throws MPIException {
    return new CartComm(comm().dup());
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public CartComm iDup() throws MPIException {
    return new CartComm(comm().idup());
  }

  /** Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}). */
  @Override
  public CartComm dupWithInfo(Info info) throws MPIException {
    return new CartComm(comm().dup(Info.infoOf(info)));
  }

  /**
   * Returns the grid ({@code MPI_Cart_get}).
   *
   * @return dimensions, and the coordinates of this rank
   */
  public CartParms getTopo() throws MPIException {
    return new CartParms(grid().dims(), grid().periods(), grid().coords());
  }

  /**
   * Returns the rank at some coordinates ({@code MPI_Cart_rank}).
   *
   * @param coords a coordinate for each dimension
   * @return a rank
   */
  public int getRank(int[] coords) throws MPIException {
    return grid().rank(first(coords));
  }

  /**
   * Returns the coordinates of a rank ({@code MPI_Cart_coords}).
   *
   * @param rank a rank
   * @return a coordinate for each dimension
   */
  public int[] getCoords(int rank) throws MPIException {
    return grid().coords(rank);
  }

  /**
   * Returns the neighbours along a dimension ({@code MPI_Cart_shift}).
   *
   * @param direction the dimension
   * @param disp how far
   * @return source and destination of the shift
   */
  public ShiftParms shift(int direction, int disp) throws MPIException {
    org.ffmpi.CartComm.Shift shift = grid().shift(direction, disp);
    return new ShiftParms(shift.source(), shift.dest());
  }

  /**
   * Divides the grid ({@code MPI_Cart_sub}).
   *
   * @param remainDims which dimensions it has
   * @return the grid of this rank
   */
  public CartComm sub(boolean[] remainDims) throws MPIException {
    return new CartComm(grid().sub(first(remainDims)));
  }

  /**
   * Returns the best rank of this process in a grid ({@code MPI_Cart_map}).
   *
   * @param dims ranks along each dimension
   * @param periods which dimensions are rings
   * @return a rank, or {@code MPI.UNDEFINED}
   */
  public int map(int[] dims, boolean[] periods) throws MPIException {
    return grid().cartMap(dims, periods);
  }

  //plain
  /**
   * Chooses dimensions ({@code MPI_Dims_create}).
   *
   * @param nodes number of ranks
   * @param dims receives the dimensions; those that are not 0 stay
   */
  public static void createDims(int nodes, int[] dims) throws MPIException {
    Errors.run(() -> {
      int[] chosen = Mpi.dimsCreate(nodes, dims == null ? new int[0] : dims.clone());
      if (dims != null) {
        System.arraycopy(chosen, 0, dims, 0, chosen.length);
      }
    });
  }
}
