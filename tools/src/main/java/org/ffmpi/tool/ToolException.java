// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * An error of the tools interface, with one of the classes {@code MPI_T_ERR_*} (MPI-4.1 section 15.3.10). It is only
 * thrown: no error handler of a communicator is called for it, and no error of the tools interface ends a job.
 */
public final class ToolException extends MpiException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param errorClass one of the classes whose names begin with {@code T_ERR}
   * @param message names the argument, its value and the allowed values
   */
  ToolException(ErrorClass errorClass, String message) {
    super(errorClass, message);
  }

  /** Creates an exception about an argument. */
  static ToolException of(ErrorClass errorClass, String argument, Object value, String allowed) {
    return new ToolException(errorClass, argument + " = " + value + ": allowed are " + allowed);
  }
}
