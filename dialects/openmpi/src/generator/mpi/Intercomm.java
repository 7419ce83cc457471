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

  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public Intercomm clone() throws MPIException {
    return dup();
  }

  //calls error(e)
  /** Duplicates the communicator ({@code MPI_Comm_dup}). */
  @Override
  public Intercomm dup() throws MPIException {
    return new Intercomm(comm().dup());
  }

  /**
   * Starts duplicating the communicator ({@code MPI_Comm_idup}).
   *
   * @return the duplicate, which can be used once its request is complete
   */
  @Override
  public Intercomm iDup() throws MPIException {
    return new Intercomm(comm().idup());
  }

  /** Duplicates the communicator with other hints ({@code MPI_Comm_dup_with_info}). */
  @Override
  public Intercomm dupWithInfo(Info info) throws MPIException {
    return new Intercomm(comm().dup(Info.infoOf(info)));
  }

  /**
   * Returns the size of the other group ({@code MPI_Comm_remote_size}).
   *
   * @return 1 or more
   */
  public int getRemoteSize() throws MPIException {
    return inter().remoteSize();
  }

  /**
   * Returns the other group ({@code MPI_Comm_remote_group}).
   *
   * @return the group
   */
  public Group getRemoteGroup() throws MPIException {
    return new Group(inter().remoteGroup());
  }

  /**
   * Makes one group of the two ({@code MPI_Intercomm_merge}).
   *
   * @param high whether this group's ranks come last
   * @return a communicator of all
   */
  public Intracomm merge(boolean high) throws MPIException {
    return new Intracomm(inter().merge(high));
  }

  //plain
  /**
   * Returns the communicator with the parent processes ({@code MPI_Comm_get_parent}).
   *
   * @return a null communicator, where a launcher has started the job
   */
  public static Intercomm getParent() throws MPIException {
    return Errors.call(() -> new Intercomm(Job.mpi().parent()));
  }
}
