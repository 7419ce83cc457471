// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Objects;

/**
 * An error that MPI defines, with its class. Thrown by every call of ffmpi that fails; where the standard has a
 * function return a code, ffmpi throws.
 *
 * {@snippet :
 * try {
 *   comm.send(data, 7, 0);
 * } catch (MpiException e) {
 *   if (e.errorClass() == ErrorClass.ERR_RANK) {
 *     System.err.println(e.getMessage());   // MPI_ERR_RANK: dest = 7: allowed are 0..3 or PROC_NULL
 *   }
 * }
 * }
 */
public class MpiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  private final ErrorClass errorClass;

  /** The code as a number; differs from that of the enum where a program has added classes and codes. */
  private final int errorCode;

  /** Number of the class, which a program may have added. */
  private final int errorClassCode;

  /**
   * Creates an exception.
   *
   * @param errorClass what kind of error
   * @param message names the argument, its value and the allowed values
   * @throws NullPointerException when {@code errorClass} is null
   */
  public MpiException(ErrorClass errorClass, String message) {
    this(errorClass, message, null);
  }

  /**
   * Creates an exception that another one caused.
   *
   * @param errorClass what kind of error
   * @param message names the argument, its value and the allowed values
   * @param cause the first exception, or null
   * @throws NullPointerException when {@code errorClass} is null
   */
  public MpiException(ErrorClass errorClass, String message, Throwable cause) {
    super(Objects.requireNonNull(errorClass, "errorClass").mpiName() + ": " + message, cause);
    this.errorClass = errorClass;
    this.errorCode = errorClass.code();
    this.errorClassCode = errorClass.code();
  }

  /**
   * Creates an exception for an error code of a program's own.
   *
   * @param errorCode the code
   * @param errorClassCode number of the class it belongs to, a predefined one or one of the program's own
   * @param message the whole text of the exception
   */
  public MpiException(int errorCode, int errorClassCode, String message) {
    super(message);
    this.errorClass = ErrorClass.ofCode(errorClassCode).orElse(ErrorClass.ERR_OTHER);
    this.errorCode = errorCode;
    this.errorClassCode = errorClassCode;
  }

  /**
   * Creates an exception about an argument: {@code dest = 7: allowed are 0..3 or PROC_NULL}.
   *
   * @param errorClass what kind of error
   * @param argument name of the argument
   * @param value its value; of a long one the message shows the beginning
   * @param allowed the values that would have been allowed
   * @return the exception, to be thrown
   * @throws NullPointerException when {@code errorClass} is null
   */
  public static MpiException argument(ErrorClass errorClass, String argument, Object value, String allowed) {
    return new MpiException(errorClass, argument + " = " + Texts.shown(value) + ": allowed are " + allowed);
  }

  /**
   * Returns the error's class ({@code MPI_Error_class}).
   *
   * @return the class; ERR_OTHER for a class that the program has added
   */
  public ErrorClass errorClass() {
    return errorClass;
  }

  /**
   * Returns the error's code. Predefined errors have their class as code.
   *
   * @return the code, never {@code MPI_SUCCESS}
   */
  public int errorCode() {
    return errorCode;
  }

  /**
   * Returns the number of the error's class; classes that the program has added differ only in this.
   *
   * @return the number of a predefined class, or of one that has been added
   */
  public int errorClassCode() {
    return errorClassCode;
  }
}
