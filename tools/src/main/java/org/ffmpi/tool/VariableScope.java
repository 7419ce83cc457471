// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** Whether a control variable can be written, and where (MPI-4.1 section 15.3.6). */
public enum VariableScope {
  /** The value never changes. */
  @Standard("MPI_T_SCOPE_CONSTANT")
  CONSTANT(Constants.T_SCOPE_CONSTANT),

  /** It can be read only, and may change. */
  @Standard("MPI_T_SCOPE_READONLY")
  READONLY(Constants.T_SCOPE_READONLY),

  /** It can be written, for one rank. */
  @Standard("MPI_T_SCOPE_LOCAL")
  LOCAL(Constants.T_SCOPE_LOCAL),

  /** It can be written, by a group of ranks. */
  @Standard("MPI_T_SCOPE_GROUP")
  GROUP(Constants.T_SCOPE_GROUP),

  /** It can be written, by a group of ranks with the same value. */
  @Standard("MPI_T_SCOPE_GROUP_EQ")
  GROUP_EQ(Constants.T_SCOPE_GROUP_EQ),

  /** It can be written, by all ranks. */
  @Standard("MPI_T_SCOPE_ALL")
  ALL(Constants.T_SCOPE_ALL),

  /** It can be written, by all ranks with the same value. */
  @Standard("MPI_T_SCOPE_ALL_EQ")
  ALL_EQ(Constants.T_SCOPE_ALL_EQ);

  private final int code;

  VariableScope(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this scope in the MPI-5 binary interface.
   *
   * @return one of the {@code T_SCOPE_…} constants
   */
  public int code() {
    return code;
  }
}
