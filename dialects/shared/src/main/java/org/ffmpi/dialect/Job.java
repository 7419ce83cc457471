// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The MPI job of this process. There is one, since a dialect's {@code MPI.COMM_WORLD} is static. */
public final class Job {
  private static volatile Mpi mpi;

  private Job() {}

  /**
   * Joins the job.
   *
   * @param args arguments of the program
   * @param level the threads that will make calls
   * @return the process's rank
   * @throws MpiException ERR_OTHER at the second call
   */
  public static Mpi start(String[] args, ThreadLevel level) {
    Mpi started = Mpi.init(args, level);
    mpi = started;
    return started;
  }

  /**
   * Returns the process's rank.
   *
   * @throws MpiException ERR_OTHER before {@link #start}
   */
  public static Mpi mpi() {
    Mpi started = mpi;
    if (started == null) {
      throw new MpiException(ErrorClass.ERR_OTHER, "MPI.Init has not been called");
    }
    return started;
  }

  /** Leaves the job, after completing what other ranks still need of this one. */
  public static void end() {
    mpi().close();
  }

  /**
   * Passes an error without a communicator to the world's error handler.
   *
   * @param error the error
   * @return the error to throw if the handler has not ended the job
   */
  public static MpiException raise(MpiException error) {
    Mpi started = mpi;
    if (started == null || Mpi.isFinalized()) {
      return error;
    }
    try {
      return started.world().callErrhandler(error);
    } catch (MpiException fatal) {
      return fatal;
    }
  }
}
