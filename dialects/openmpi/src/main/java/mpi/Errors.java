// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import java.util.function.Supplier;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.ErrorTexts;
import org.ffmpi.dialect.Job;

/** Translates errors of ffmpi into those of the dialect. */
final class Errors {
  /** Prints an error as the program knows it, and ends the job with Open MPI's number of its class. */
  static final org.ffmpi.Errhandler<Object> FATAL = org.ffmpi.Errhandler.of(Errors::end);

  /** The constants of {@code MPI}, by the names of ffmpi's types behind them. */
  private static final Map<String, String> NAMES = Map.ofEntries(
      Map.entry("MPI_UINT8_T", "MPI.BYTE"),
      Map.entry("MPI_UINT16_T", "MPI.CHAR"),
      Map.entry("MPI_INT16_T", "MPI.SHORT"),
      Map.entry("MPI_C_BOOL", "MPI.BOOLEAN"),
      Map.entry("MPI_INT32_T", "MPI.INT"),
      Map.entry("MPI_INT64_T", "MPI.LONG"),
      Map.entry("MPI_FLOAT", "MPI.FLOAT"),
      Map.entry("MPI_DOUBLE", "MPI.DOUBLE"),
      Map.entry("MPI_PACKED", "MPI.PACKED"),
      Map.entry("MPI_C_COMPLEX", "MPI.FLOAT_COMPLEX"),
      Map.entry("MPI_C_FLOAT_COMPLEX", "MPI.FLOAT_COMPLEX"),
      Map.entry("MPI_C_DOUBLE_COMPLEX", "MPI.DOUBLE_COMPLEX"),
      Map.entry("MPI_2INT", "MPI.INT2"),
      Map.entry("MPI_SHORT_INT", "MPI.SHORT_INT"),
      Map.entry("MPI_LONG_INT", "MPI.LONG_INT"),
      Map.entry("MPI_FLOAT_INT", "MPI.FLOAT_INT"),
      Map.entry("MPI_DOUBLE_INT", "MPI.DOUBLE_INT"));

  private Errors() {}

  /** An error that ends the job. It is printed as the exception that a program would catch. */
  private static final class Fatal extends MpiException {
    private static final long serialVersionUID = 1;

    Fatal(MpiException error) {
      super(ErrorNumbers.of(error.errorCode()), error.errorClassCode(), textOf(error));
      initCause(error.getCause());
      setStackTrace(error.getStackTrace());
    }

    @Override
    public String toString() {
      return MPIException.class.getName() + ": " + getMessage();
    }
  }

  private static void end(Object object, MpiException error) {
    try {
      Line.endJob(new Fatal(error));
    } catch (MpiException e) {
      // the job has ended already, or this rank has left it: the call throws the error
    }
  }

  /** Has the errors of a job that has begun end it by {@link #FATAL}, unless it was started with another handler. */
  static void begin(Mpi mpi) {
    if (mpi.world().errhandler() != org.ffmpi.Errhandler.RETURN) {
      mpi.world().setErrhandler(FATAL);
      mpi.self().setErrhandler(FATAL);
    }
  }

  /** Has the errors of a new window end the job by {@link #FATAL}, unless the job was started with another handler. */
  static org.ffmpi.Win withFatalErrors(org.ffmpi.Win win) {
    if (win.errhandler() != org.ffmpi.Errhandler.RETURN) {
      win.setErrhandler(FATAL);
    }
    return win;
  }

  /** Returns the text of an exception, with the names that a program has for types. */
  static String textOf(Throwable error) {
    return error instanceof MpiException ? ErrorTexts.translated(error.getMessage(), NAMES) : error.getMessage();
  }

  /** Returns an exception with the names that a program has for types; others, and null, as they are. */
  static Throwable named(Throwable error) {
    return error instanceof MpiException known ? ErrorTexts.translated(known, NAMES) : error;
  }

  /** Passes an error without a communicator to the world's handler and returns the exception to throw. */
  static MPIException raise(MpiException error) {
    return new MPIException(Job.raise(error));
  }

  /** Makes a call whose errors belong to no communicator. */
  static <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Makes a call whose errors belong to no communicator. */
  static void run(Runnable call) {
    try {
      call.run();
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /** Returns an argument that must not be null. */
  static <T> T present(ErrorClass errorClass, String name, T argument) {
    if (argument == null) {
      throw MpiException.argument(errorClass, name, null, "objects that have not been freed");
    }
    return argument;
  }
}
