// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.ErrorTexts;
import org.ffmpi.dialect.Job;

/** Translates errors of ffmpi into those of this dialect. */
final class Errors {
  /** The constants of {@code MPI}, by the names of ffmpi's types behind them. */
  private static final Map<String, String> NAMES = Map.of(
      "MPI_INT8_T", "MPI.BYTE",
      "MPI_UINT16_T", "MPI.CHAR",
      "MPI_INT16_T", "MPI.SHORT",
      "MPI_C_BOOL", "MPI.BOOLEAN",
      "MPI_INT32_T", "MPI.INT",
      "MPI_INT64_T", "MPI.LONG",
      "MPI_FLOAT", "MPI.FLOAT",
      "MPI_DOUBLE", "MPI.DOUBLE",
      "MPI_PACKED", "MPI.PACKED");

  private Errors() {}

  /** Returns an error with the names that a program has for types. */
  static MpiException named(MpiException error) {
    return ErrorTexts.translated(error, NAMES);
  }

  /** Returns the exception for an error that a handler has seen. */
  static MPIException thrown(MpiException error) {
    return new MPIException(named(error));
  }

  /** Passes an error without a communicator to the error handler and returns the exception to throw. */
  static MPIException raised(MpiException error) {
    return thrown(Job.raise(error));
  }

  /** Passes an error of a communicator to its error handler and returns the exception to throw. */
  static MPIException raised(org.ffmpi.Comm comm, MpiException error) {
    try {
      return thrown(comm.callErrhandler(error));
    } catch (MpiException other) {
      return thrown(other);
    }
  }

  /** Returns the error of an argument. */
  static MpiException argument(String name, Object value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_ARG, name, value, allowed);
  }
}
