// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.util.concurrent.atomic.AtomicInteger;

/** Knows which threads are inside a function of a user-defined operation, where MPI must not be called. */
public final class UserCalls {
  private static final AtomicInteger RUNNING = new AtomicInteger();

  /** Set in the threads that are inside. */
  private static final ThreadLocal<Boolean> INSIDE = new ThreadLocal<>();

  private UserCalls() {}

  /**
   * Tells whether the calling thread is inside such a function. Costs one plain read as long as none runs: a thread
   * that is inside has counted itself, so that it needs nobody else's count.
   *
   * @return true inside
   */
  public static boolean isInside() {
    return RUNNING.getPlain() != 0 && INSIDE.get() != null;
  }

  /** Notes that the calling thread enters; returns what {@link #leave} takes. */
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
