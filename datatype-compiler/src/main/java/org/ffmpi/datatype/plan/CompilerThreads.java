// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * What the datatype compiler's background thread does first. A thread begins on the cores of the one that starts it; an
 * engine that binds a rank to one core has the compiler's thread leave that core here, so that it does not take turns
 * with the rank it works for.
 */
public final class CompilerThreads {
  private static volatile Runnable first;

  private CompilerThreads() {}

  /**
   * Sets what threads that are started from now on run before anything else. Any thread may call.
   *
   * @param action run in the new thread; replaces what was set before
   */
  public static void begin(Runnable action) {
    first = action;
  }

  /** The work of a thread, after what an engine wants done. A class and no lambda, as linking one takes time. */
  static final class Begun implements Runnable {
    private final Runnable work;

    Begun(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      Runnable action = first;
      if (action != null) {
        action.run();
      }
      work.run();
    }
  }
}
