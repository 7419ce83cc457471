// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/**
 * The promise of a callback of an event, from nothing to the most (MPI-4.1 section 15.3.8). A callback that promises
 * more is called where one that promises less cannot be.
 */
public enum CallbackSafety {
  /** It may do anything. */
  @Standard("MPI_T_CB_REQUIRE_NONE")
  NONE(Constants.T_CB_REQUIRE_NONE),

  /** It calls nothing of MPI but the calls on events, timestamps and performance variables. */
  @Standard("MPI_T_CB_REQUIRE_MPI_RESTRICTED")
  MPI_RESTRICTED(Constants.T_CB_REQUIRE_MPI_RESTRICTED),

  /** Besides, it may run in several threads at one time, and never waits. */
  @Standard("MPI_T_CB_REQUIRE_THREAD_SAFE")
  THREAD_SAFE(Constants.T_CB_REQUIRE_THREAD_SAFE),

  /** Besides, it would be fit for a signal handler. */
  @Standard("MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE")
  ASYNC_SIGNAL_SAFE(Constants.T_CB_REQUIRE_ASYNC_SIGNAL_SAFE);

  private final int code;

  CallbackSafety(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this level in the MPI-5 binary interface.
   *
   * @return one of the {@code T_CB_REQUIRE_…} constants
   */
  public int code() {
    return code;
  }
}
