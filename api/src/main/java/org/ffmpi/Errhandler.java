// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.process.ErrhandlerImpl;

/**
 * The reaction to the failure of a call ({@code MPI_Errhandler}, MPI-4.1 §9.3): one of the predefined handlers, or a
 * function of the program's own. With each of them, where the caller still runs afterwards, the error is thrown as an
 * {@link MpiException}; {@link #RETURN} does nothing else.
 *
 * {@snippet :
 * Errhandler<Comm> log = Errhandler.of((Comm comm, MpiException error) -> System.err.println(comm + ": " + error));
 * world.setErrhandler(log);
 * world.send(data, 77, 0);   // prints, then throws
 * }
 *
 * <p>{@link #FATAL} is the default, as in the standard; the setting {@code ffmpi.errors} changes the default of a run
 * (its other values are {@code abort} and {@code return}). In a world of threads "the job" is that world: the JVM goes
 * on.
 *
 * <p>A handler may be set on any number of objects, and any thread may use it. It runs in the thread of the call that
 * failed. Its exceptions do not replace the error, in which they are {@linkplain Throwable#getSuppressed suppressed}.
 * Calls of its own that fail on the same object do not lead to it again: their errors are only thrown. Those that fail
 * on another object run that one's handler.
 *
 * @param <O> kind of objects it can be set on; {@code Object} for the predefined ones, which fit all
 */
@Standard({"MPI_Errhandler"})
public sealed interface Errhandler<O> extends AutoCloseable permits ErrhandlerImpl {
  // No default methods: with them, this interface and the class of its constants could wait for each other to load.

  /** Prints the error and ends the job; in a world of threads the error is thrown then. */
  @Standard({"MPI_ERRORS_ARE_FATAL"})
  Errhandler<Object> FATAL = ErrhandlerImpl.FATAL;

  /** Prints the error and ends the ranks of the communicator, and thereby the job, as if by {@link Comm#abort}. */
  @Standard({"MPI_ERRORS_ABORT"})
  Errhandler<Object> ABORT = ErrhandlerImpl.ABORT;

  /** Throws the error and leaves everything else to the program. */
  @Standard({"MPI_ERRORS_RETURN"})
  Errhandler<Object> RETURN = ErrhandlerImpl.RETURN;

  /**
   * A program's own reaction to errors.
   *
   * @param <O> kind of objects whose calls fail
   */
  @FunctionalInterface
  @Standard({"MPI_Comm_errhandler_function", "MPI_Session_errhandler_function", "MPI_Win_errhandler_function",
      "MPI_File_errhandler_function"})
  interface Function<O> {
    /**
     * Called before the error is thrown. May well throw another exception, or end the job with {@link Comm#abort}.
     *
     * @param object what the failed call was made on
     * @param error what went wrong; its {@linkplain MpiException#errorCode code} is what other languages are given
     */
    void handle(O object, MpiException error);
  }

  /**
   * Makes a handler out of a function ({@code MPI_Comm_create_errhandler}, {@code MPI_Session_create_errhandler},
   * MPI-4.1 §9.3). Local; may be called at any time. For which kind of objects it is, the function's first parameter
   * says.
   *
   * @param <O> kind of objects it can be set on
   * @param function called with each error
   * @return the handler
   * @throws MpiException ERR_ARG when the function is null
   */
  @Standard({"MPI_Comm_create_errhandler", "MPI_Session_create_errhandler", "MPI_Win_create_errhandler",
      "MPI_File_create_errhandler"})
  static <O> Errhandler<O> of(Function<O> function) {
    return ErrhandlerImpl.ofFunction(function);
  }

  /**
   * Ends the use of this handler in calls that set it ({@code MPI_Errhandler_free}, MPI-4.1 §9.3.4). Local. Where it is
   * set it stays, and still runs. Closing a predefined handler does nothing, nor does closing again.
   */
  @Standard({"MPI_Errhandler_free"})
  @Override
  void close();
}
