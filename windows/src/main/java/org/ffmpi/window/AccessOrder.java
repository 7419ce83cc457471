// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.invoke.VarHandle;

/**
 * The order of accesses by loads and stores around calls that send nothing. Copies are plain, so that the processor and
 * the compiler may exchange them with those before and after; acquired and released locks order them by their words.
 */
final class AccessOrder {
  private AccessOrder() {}

  /**
   * Completes the accesses of this thread at their targets: other ranks see them before those that follow, and those
   * that follow see what other ranks have completed before.
   */
  static void complete() {
    VarHandle.fullFence();
  }

  /** Completes the reads of this thread: what it reads later is at least as new. */
  static void completeReads() {
    VarHandle.acquireFence();
  }
}
