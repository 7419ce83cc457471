// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * What happens when a call on a communicator fails ({@code MPI_Errhandler}, MPI-4.1 §9.3). Whichever it is, where the
 * caller still runs afterwards the error is thrown as an {@link MpiException}; {@link #RETURN} does nothing else.
 *
 * <p>{@link #FATAL} is the default, as the standard says; the setting {@code ffmpi.errors} changes the default of all
 * communicators of a run. In a world of threads "the job" is that world: the JVM goes on.
 */
public enum Errhandler {
  /** Prints the error and ends the job; in a world of threads the error is thrown then. */
  @Standard({"MPI_ERRORS_ARE_FATAL"})
  FATAL,

  /** Prints the error and ends the ranks of the communicator, which is to say the job, as if by {@link Comm#abort}. */
  @Standard({"MPI_ERRORS_ABORT"})
  ABORT,

  /** Throws the error and leaves everything else to the program. */
  @Standard({"MPI_ERRORS_RETURN"})
  RETURN;

  /**
   * Does what this handler does and returns what is to be thrown. When the world has ended already, for whatever
   * reason, there is no job left to end, and the error is a consequence that need not be printed by every rank.
   */
  MpiException handle(World world, MpiException error) {
    if (this != RETURN && !world.hasEnded()) {
      world.end(error.errorCode(), error, "rank " + world.rank() + ": " + error.getMessage());
    }
    return error;
  }
}
