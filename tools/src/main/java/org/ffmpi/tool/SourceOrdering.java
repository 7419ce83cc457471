// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** Whether a source reports its events in the order of their times (MPI-4.1 section 15.3.8). */
public enum SourceOrdering {
  /** Each event is later than those before it. */
  @Standard("MPI_T_SOURCE_ORDERED")
  ORDERED(Constants.T_SOURCE_ORDERED),

  /** Threads that report at one time may be interleaved. */
  @Standard("MPI_T_SOURCE_UNORDERED")
  UNORDERED(Constants.T_SOURCE_UNORDERED);

  private final int code;

  SourceOrdering(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this ordering in the MPI-5 binary interface.
   *
   * @return one of the {@code T_SOURCE_…} constants
   */
  public int code() {
    return code;
  }
}
