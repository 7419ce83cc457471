// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

/**
 * A send or receive of the explored engine. It is ready when it could be complete, and becomes complete when its own
 * rank looks at it: so the rank's calls decide what the program sees.
 */
sealed interface ExploredOperation permits ExploredSend, ExploredReceive {
  /** Returns whether it can be completed. */
  boolean isReady();

  /** Returns the past of its completion; null before it is ready. */
  Past past();

  /** Completes it, in the thread of its rank. */
  void deliver();

  /** Returns whether a call has been told that it is not complete although it was ready. */
  boolean isDenied();

  /** Records that a call has been told so. */
  void deny();
}
