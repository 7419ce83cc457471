// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.InterComm;
import org.ffmpi.base.MpiException;

/** A communicator between two groups ({@code intercommunicator}); peers are ranks of the other group. */
public class Intercomm extends Comm {
  private final InterComm inter;

  Intercomm(InterComm inter) {
    super(inter);
    this.inter = inter;
  }

  /**
   * Returns how many processes the other group has ({@code MPI_Comm_remote_size}).
   *
   * @return the number
   * @throws MPIException when the communicator cannot be used
   */
  public int Remote_size() throws MPIException {
    try {
      return inter.remoteSize();
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Returns the other group ({@code MPI_Comm_remote_group}).
   *
   * @return a new group
   * @throws MPIException when the communicator cannot be used
   */
  public Group Remote_group() throws MPIException {
    try {
      return new Group(inter.remoteGroup());
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Makes a communicator of both groups ({@code MPI_Intercomm_merge}). Collective.
   *
   * @param high whether this group's processes come behind the others
   * @return the new communicator
   * @throws MPIException when processes of a group pass different values
   */
  public Intracomm Merge(boolean high) throws MPIException {
    try {
      return new Intracomm(inter.merge(high));
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /**
   * Makes a communicator between the same groups ({@code MPI_Comm_dup}). Collective.
   *
   * @return an {@code Intercomm}
   * @throws MPIException when the communicator cannot be used
   */
  @Override
  public Object clone() throws MPIException {
    return super.clone();
  }
}
