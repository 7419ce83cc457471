// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.datatype.plan.kernel.BackgroundWork;

/**
 * The start of the datatype compiler's background thread. A thread begins on the cores of the thread that starts it. An
 * engine that binds a rank to one core uses this to move the compiler's thread to other cores, so that it does not
 * share a core with the rank.
 */
public final class CompilerThreads {
  private CompilerThreads() {}

  /**
   * Sets the action that threads started from now on run first. Any thread may call.
   *
   * @param action run in the new thread; replaces an earlier one
   */
  public static void begin(Runnable action) {
    BackgroundWork.begin(action);
  }
}
