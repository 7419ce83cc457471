// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Errhandler;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.spi.RunSettings;

/**
 * The error handlers of {@link Errhandler}. Any thread may use one.
 *
 * @param <O> kind of objects it can be set on
 */
public final class ErrhandlerImpl<O> implements Errhandler<O> {
  /** See {@link Errhandler#FATAL}. */
  public static final Errhandler<Object> FATAL = new ErrhandlerImpl<>("FATAL", null);

  /** See {@link Errhandler#ABORT}. */
  public static final Errhandler<Object> ABORT = new ErrhandlerImpl<>("ABORT", null);

  /** See {@link Errhandler#RETURN}. */
  public static final Errhandler<Object> RETURN = new ErrhandlerImpl<>("RETURN", null);

  private final String name;
  /** Null for the predefined handlers. */
  private final Function<O> function;
  /** The objects for which this handler runs in a thread; its own failing calls on them do not lead to it again. */
  private final ThreadLocal<List<Object>> running = new ThreadLocal<>();
  private volatile boolean closed;

  private ErrhandlerImpl(String name, Function<O> function) {
    this.name = name;
    this.function = function;
    if (Lifetimes.kept && function != null) {
      Lifetimes.made(this, "error handler");
    }
  }

  /** Makes a handler out of a function, see {@link Errhandler#of}. */
  public static <O> Errhandler<O> ofFunction(Function<O> function) {
    if (function == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "function", null, "functions; RETURN is the handler without one");
    }
    return new ErrhandlerImpl<>("user-written", function);
  }

  /** Returns the object behind a handler. */
  public static <O> ErrhandlerImpl<O> of(Errhandler<O> errhandler) {
    return (ErrhandlerImpl<O>) errhandler;
  }

  /** Returns the handler that a run begins with. */
  static Errhandler<Object> initial(RunSettings.Errors setting) {
    return switch (setting) {
      case FATAL -> FATAL;
      case ABORT -> ABORT;
      case RETURN -> RETURN;
    };
  }

  @Standard({"MPI_Errhandler_free"})
  @Override
  public void close() {
    closed = function != null;
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
  }

  /** Returns a new reference: this handler, or an equal one if it has been closed. */
  public Errhandler<O> reference() {
    return closed ? new ErrhandlerImpl<>(name, function) : this;
  }

  /** Returns why a handler cannot be set, or null. */
  public static MpiException refusal(Errhandler<?> errhandler) {
    if (errhandler == null) {
      return MpiException.argument(
          ErrorClass.ERR_ERRHANDLER, "errhandler", null, "FATAL, ABORT, RETURN and those made with Errhandler.of");
    }
    return of(errhandler).closed
        ? MpiException.argument(
            ErrorClass.ERR_ERRHANDLER, "errhandler", errhandler, "handlers that have not been freed")
        : null;
  }

  /**
   * Runs this handler and returns the exception to throw. When the world has ended already, for any reason, there is no
   * job left to end, and the error is a consequence that not every rank need print.
   */
  public MpiException handle(World world, O object, MpiException error) {
    if (function != null) {
      call(object, error);
    } else if (this != RETURN && !world.hasEnded()) {
      world.end(error.errorCode(), error, "rank " + world.rank() + ": " + error.getMessage());
    }
    return error;
  }

  private void call(O object, MpiException error) {
    List<Object> above = running.get();
    List<Object> objects = above == null ? new ArrayList<>() : above;
    for (Object other : objects) {
      if (other == object) {
        return;
      }
    }
    objects.add(object);
    running.set(objects);
    try {
      function.handle(object, error);
    } catch (Throwable thrown) {
      if (thrown != error) {
        error.addSuppressed(thrown);
      }
    } finally {
      objects.removeLast();
      if (above == null) {
        running.remove();
      }
    }
  }

  /** Returns whether errors end the job here. */
  public boolean isFatal() {
    return function == null && this != RETURN;
  }

  /** Two references to one handler are equal. */
  @Override
  public boolean equals(Object o) {
    return o instanceof ErrhandlerImpl<?> other && function == other.function && name.equals(other.name);
  }

  @Override
  public int hashCode() {
    return function == null ? name.hashCode() : System.identityHashCode(function);
  }

  @Override
  public String toString() {
    return name + (closed ? " (freed)" : "");
  }
}
