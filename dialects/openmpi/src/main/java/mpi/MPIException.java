// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.MpiException;

/** An error of MPI. It is unchecked, so that programs of either dialect compile. */
public final class MPIException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;
  private final int errorClass;

  /**
   * Creates an error without a code.
   *
   * @param message what is wrong
   */
  public MPIException(String message) {
    super(message);
    code = MPI.ERR_OTHER;
    errorClass = MPI.ERR_OTHER;
  }

  /**
   * Creates an error because of another one.
   *
   * @param cause why
   */
  public MPIException(Throwable cause) {
    super(cause == null ? null : Errors.textOf(cause), Errors.named(cause));
    boolean known = cause instanceof MpiException;
    code = known ? ErrorNumbers.of(((MpiException) cause).errorCode()) : MPI.ERR_OTHER;
    errorClass = known ? ErrorNumbers.of(((MpiException) cause).errorClassCode()) : MPI.ERR_OTHER;
  }

  /**
   * Returns the error code.
   *
   * @return a code
   */
  public int getErrorCode() {
    return code;
  }

  /**
   * Returns the class of the error code ({@code MPI_Error_class}).
   *
   * @return one of the constants {@code MPI.ERR_...}, or a class that a program has added
   */
  public int getErrorClass() {
    return errorClass;
  }
}
