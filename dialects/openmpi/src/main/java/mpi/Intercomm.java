// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.CommRequest;
import org.ffmpi.InterComm;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/** Processes of two groups, each of which communicates with those of the other. */
public final class Intercomm extends Comm {
  /** Wraps a communicator of ffmpi; null is {@code MPI_COMM_NULL}. */
  Intercomm(org.ffmpi.Comm comm) {
    super(comm);
  }

  /** Wraps a communicator that is being made. */
  Intercomm(CommRequest<?> making) {
    super(making);
  }

  private InterComm inter() {
    return (InterComm) comm();
  }

  /**
   * Duplicates the communicator ({@code MPI_Comm_dup}).
   *
   * @return the duplicate
   */
  @Override
  public Intercomm clone() throws MPIException {
    return dup();
  }

  /**
   * Duplicates the communicator ({@code MPI_Comm_dup}).
   *
   * @return the duplicate
   */
  @Override
  public Intercomm dup() throws MPIException {
    try {
      return new Intercomm(comm().dup());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public Intercomm iDup() throws MPIException {
    try {
      return new Intercomm(comm().idup());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}).
   *
   * @param info hints
   * @return the duplicate
   */
  @Override
  public Intercomm dupWithInfo(Info info) throws MPIException {
    try {
      return new Intercomm(comm().dup(Info.infoOf(info)));
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the size of the other group ({@code MPI_Comm_remote_size}).
   *
   * @return 1 or more
   */
  public int getRemoteSize() throws MPIException {
    try {
      return inter().remoteSize();
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the other group ({@code MPI_Comm_remote_group}).
   *
   * @return the group
   */
  public Group getRemoteGroup() throws MPIException {
    try {
      return new Group(inter().remoteGroup());
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Makes one group of the two ({@code MPI_Intercomm_merge}).
   *
   * @param high whether this group's ranks come last
   * @return a communicator of all
   */
  public Intracomm merge(boolean high) throws MPIException {
    try {
      return new Intracomm(inter().merge(high));
    } catch (MpiException e) {
      throw error(e);
    }
  }

  /**
   * Returns the communicator with those that have started this process ({@code MPI_Comm_get_parent}).
   *
   * @return a null communicator, since ffmpi starts no processes
   */
  public static Intercomm getParent() throws MPIException {
    return Errors.call(() -> new Intercomm(Job.mpi().parent()));
  }
}
