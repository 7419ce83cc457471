// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** The kind of object that a variable or an event belongs to (MPI-4.1 section 15.3.2). */
public enum Binding {
  /** It belongs to the rank. */
  @Standard("MPI_T_BIND_NO_OBJECT")
  NO_OBJECT(Constants.T_BIND_NO_OBJECT),

  /** Each communicator has one of its own. */
  @Standard("MPI_T_BIND_MPI_COMM")
  COMM(Constants.T_BIND_MPI_COMM);

  private final int code;

  Binding(int code) {
    this.code = code;
  }

  static Binding of(boolean isOfCommunicator) {
    return isOfCommunicator ? COMM : NO_OBJECT;
  }

  /**
   * Returns the integer that stands for this kind in the MPI-5 binary interface.
   *
   * @return one of the {@code T_BIND_…} constants
   */
  public int code() {
    return code;
  }
}
