// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/** Translates errors of ffmpi into those of this dialect. */
final class Errors {
  private Errors() {}

  /** Returns the exception for an error that a handler has seen. */
  static MPIException thrown(MpiException error) {
    return new MPIException(error);
  }

  /** Passes an error without a communicator to the error handler and returns the exception to throw. */
  static MPIException raised(MpiException error) {
    return new MPIException(Job.raise(error));
  }

  /** Passes an error of a communicator to its error handler and returns the exception to throw. */
  static MPIException raised(org.ffmpi.Comm comm, MpiException error) {
    try {
      return new MPIException(comm.callErrhandler(error));
    } catch (MpiException other) {
      return new MPIException(other);
    }
  }

  /** Returns the error of an argument. */
  static MpiException argument(String name, Object value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_ARG, name, value, allowed);
  }
}
