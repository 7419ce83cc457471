// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads that are inside a function of a user-defined operation, where MPI must not be called. */
public final class UserCalls {
  private static final AtomicInteger RUNNING = new AtomicInteger();

  /** Set in the threads inside such a function. */
  private static final ThreadLocal<Boolean> INSIDE = new ThreadLocal<>();

  private UserCalls() {}

  /**
   * Returns whether the calling thread is inside such a function. Costs one plain read while no function runs. The read
   * needs no ordering: a thread inside has counted itself.
   *
   * @return true if so
   */
  public static boolean isInside() {
    return RUNNING.getPlain() != 0 && INSIDE.get() != null;
  }

  /** Counts the calling thread as inside; returns the argument for {@link #leave}. */
  static boolean enter() {
    boolean outermost = INSIDE.get() == null;
    if (outermost) {
      INSIDE.set(true);
      RUNNING.getAndIncrement();
    }
    return outermost;
  }

  static void leave(boolean outermost) {
    if (outermost) {
      RUNNING.getAndDecrement();
      INSIDE.remove();
    }
  }
}
