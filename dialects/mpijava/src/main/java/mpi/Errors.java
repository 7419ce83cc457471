// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/** Errors of ffmpi as this dialect throws them. */
final class Errors {
  private Errors() {}

  /** Returns an error that has been through an error handler, to be thrown. */
  static MPIException thrown(MpiException error) {
    return new MPIException(error);
  }

  /** Puts an error that belongs to no communicator through the error handler and returns what is to be thrown. */
  static MPIException raised(MpiException error) {
    return new MPIException(Job.raise(error));
  }

  /** Puts an error that belongs to a communicator through its error handler and returns what is to be thrown. */
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
