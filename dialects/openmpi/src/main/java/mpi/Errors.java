// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/** Translates errors of ffmpi into those of the dialect. */
final class Errors {
  private Errors() {}

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
