// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.RunSettings;

/**
 * What happens when a call fails ({@code MPI_Errhandler}, MPI-4.1 §9.3): one of the predefined handlers, or a function
 * of the program's own. Whichever it is, where the caller still runs afterwards the error is thrown as an
 * {@link MpiException}; {@link #RETURN} does nothing else.
 *
 * {@snippet :
 * Errhandler<Comm> log = Errhandler.of((Comm comm, MpiException error) -> System.err.println(comm + ": " + error));
 * world.setErrhandler(log);
 * world.send(data, 77, 0);   // prints, then throws
 * }
 *
 * <p>{@link #FATAL} is the default, as the standard says; the setting {@code ffmpi.errors} changes the default of a run
 * (its other values are {@code abort} and {@code return}). In a world of threads "the job" is that world: the JVM goes
 * on.
 *
 * <p>A handler may be set on any number of objects, and any thread may use it. It runs in the thread of the call that
 * failed. What it throws does not replace the error, in which it is {@linkplain Throwable#getSuppressed suppressed}.
 * Calls of its own that fail do not lead to it again: their errors are only thrown.
 *
 * @param <O> kind of objects it can be set on; {@code Object} for the predefined ones, which fit all
 */
@Standard({"MPI_Errhandler"})
public final class Errhandler<O> implements AutoCloseable {
  /** Prints the error and ends the job; in a world of threads the error is thrown then. */
  @Standard({"MPI_ERRORS_ARE_FATAL"})
  public static final Errhandler<Object> FATAL = new Errhandler<>("FATAL", null);

  /** Prints the error and ends the ranks of the communicator, which is to say the job, as if by {@link Comm#abort}. */
  @Standard({"MPI_ERRORS_ABORT"})
  public static final Errhandler<Object> ABORT = new Errhandler<>("ABORT", null);

  /** Throws the error and leaves everything else to the program. */
  @Standard({"MPI_ERRORS_RETURN"})
  public static final Errhandler<Object> RETURN = new Errhandler<>("RETURN", null);

  /**
   * A program's own reaction to errors.
   *
   * @param <O> kind of objects whose calls fail
   */
  @FunctionalInterface
  @Standard({"MPI_Comm_errhandler_function", "MPI_Session_errhandler_function"})
  public interface Function<O> {
    /**
     * Called before the error is thrown. May well throw another exception, or end the job with {@link Comm#abort}.
     *
     * @param object what the failed call was made on
     * @param error what went wrong; its {@linkplain MpiException#errorCode code} is what other languages are given
     */
    void handle(O object, MpiException error);
  }

  private final String name;
  /** Null for the predefined handlers. */
  private final Function<O> function;
  /** Set while this handler runs in a thread, whose calls shall not lead to it again. */
  private final ThreadLocal<Boolean> running = new ThreadLocal<>();
  private volatile boolean closed;

  private Errhandler(String name, Function<O> function) {
    this.name = name;
    this.function = function;
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
  @Standard({"MPI_Comm_create_errhandler", "MPI_Session_create_errhandler"})
  public static <O> Errhandler<O> of(Function<O> function) {
    if (function == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "function", null, "functions; RETURN is the handler without one");
    }
    return new Errhandler<>("user-written", function);
  }

  /** Returns the handler that a run begins with. */
  static Errhandler<Object> initial(RunSettings.Errors setting) {
    return switch (setting) {
      case FATAL -> FATAL;
      case ABORT -> ABORT;
      case RETURN -> RETURN;
    };
  }

  /**
   * Ends the use of this handler in calls that set it ({@code MPI_Errhandler_free}, MPI-4.1 §9.3.4). Local. Where it is
   * set it stays, and still runs. Closing a predefined handler does nothing, nor does closing again.
   */
  @Standard({"MPI_Errhandler_free"})
  @Override
  public void close() {
    closed = function != null;
  }

  /** Returns this handler, or where it has been closed one that does the same: what is asked for is a new reference. */
  Errhandler<O> reference() {
    return closed ? new Errhandler<>(name, function) : this;
  }

  /** Returns why a handler cannot be set, or null. */
  static MpiException refusal(Errhandler<?> errhandler) {
    if (errhandler == null) {
      return MpiException.argument(
          ErrorClass.ERR_ERRHANDLER, "errhandler", null, "FATAL, ABORT, RETURN and those made with Errhandler.of");
    }
    return errhandler.closed
        ? MpiException.argument(
            ErrorClass.ERR_ERRHANDLER, "errhandler", errhandler, "handlers that have not been freed")
        : null;
  }

  /**
   * Does what this handler does and returns what is to be thrown. When the world has ended already, for whatever
   * reason, there is no job left to end, and the error is a consequence that need not be printed by every rank.
   */
  MpiException handle(World world, O object, MpiException error) {
    if (function != null) {
      call(object, error);
    } else if (this != RETURN && !world.hasEnded()) {
      world.end(error.errorCode(), error, "rank " + world.rank() + ": " + error.getMessage());
    }
    return error;
  }

  private void call(O object, MpiException error) {
    if (running.get() != null) {
      return;
    }
    running.set(true);
    try {
      function.handle(object, error);
    } catch (Throwable thrown) {
      if (thrown != error) {
        error.addSuppressed(thrown);
      }
    } finally {
      running.remove();
    }
  }

  /** Tells whether errors end the job here. */
  boolean isFatal() {
    return function == null && this != RETURN;
  }

  /** Two references to one handler are equal. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Errhandler<?> other && function == other.function && name.equals(other.name);
  }

  @Override
  public int hashCode() {
    return function == null ? name.hashCode() : System.identityHashCode(function);
  }

  /**
   * Describes the handler for messages.
   *
   * @return the name of a predefined handler
   */
  @Override
  public String toString() {
    return name + (closed ? " (freed)" : "");
  }
}
