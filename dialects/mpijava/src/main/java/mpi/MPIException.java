// SPDX-License-Identifier: Apache-2.0
package mpi;

import mpjdev.MPJDevException;

/** An error of MPI. Not checked. */
public class MPIException extends MPJDevException {
  private static final long serialVersionUID = 1;

  /** Creates an error. */
  public MPIException() {}

  /**
   * Creates an error.
   *
   * @param message what is wrong
   */
  public MPIException(String message) {
    super(message);
  }

  /**
   * Creates an error because of another one.
   *
   * @param cause why
   */
  public MPIException(Throwable cause) {
    super(cause);
  }
}
