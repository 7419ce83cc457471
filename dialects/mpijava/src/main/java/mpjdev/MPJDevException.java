// SPDX-License-Identifier: Apache-2.0
package mpjdev;

import xdev.XDevException;

/** The superclass of errors of MPI that some programs of MPJ Express catch. */
public class MPJDevException extends XDevException {
  private static final long serialVersionUID = 1;

  /** Creates an error. */
  public MPJDevException() {}

  /**
   * Creates an error.
   *
   * @param message what is wrong
   */
  public MPJDevException(String message) {
    super(message);
  }

  /**
   * Creates an error because of another one.
   *
   * @param cause why
   */
  public MPJDevException(Throwable cause) {
    super(cause);
  }
}
