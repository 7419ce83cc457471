// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/**
 * The levels of thread support, which determine the threads of a rank that may call MPI (MPI-4.1 §11.6). A JVM always
 * has several threads; the level is about those that call this library. Levels are ordered: each allows what the one
 * before it allows.
 */
public enum ThreadLevel {
  /** Only one thread exists that has to do with MPI. */
  @Standard({"MPI_THREAD_SINGLE"})
  SINGLE(Constants.THREAD_SINGLE),

  /** Only the thread that initialized MPI calls it. */
  @Standard({"MPI_THREAD_FUNNELED"})
  FUNNELED(Constants.THREAD_FUNNELED),

  /** Any thread may call, never two at the same time; the program orders the calls and publishes its data. */
  @Standard({"MPI_THREAD_SERIALIZED"})
  SERIALIZED(Constants.THREAD_SERIALIZED),

  /** Any thread may call at any time; the default. */
  @Standard({"MPI_THREAD_MULTIPLE"})
  MULTIPLE(Constants.THREAD_MULTIPLE);

  private final int code;

  ThreadLevel(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this level in the MPI-5 binary interface.
   *
   * @return one of the {@code THREAD_…} constants
   */
  public int code() {
    return code;
  }
}
