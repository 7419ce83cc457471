// SPDX-License-Identifier: Apache-2.0
package xdev;

/** The superclass of errors of MPI that some programs of MPJ Express catch. Not checked. */
public class XDevException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an error. */
  public XDevException() {}

  /**
   * Creates an error.
   *
   * @param message what is wrong
   */
  public XDevException(String message) {
    super(message);
  }

  /**
   * Creates an error because of another one.
   *
   * @param cause why
   */
  public XDevException(Throwable cause) {
    super(cause == null ? null : cause.getMessage(), cause);
  }
}
