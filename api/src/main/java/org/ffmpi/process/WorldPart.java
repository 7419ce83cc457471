// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

/**
 * A part of a {@link World} that holds messages or memory of the program: an attached buffer, an operation on memory
 * whose users are counted. It {@linkplain World#add registers} itself, and removes itself when it holds nothing any
 * more; the thread that closes the world calls the methods below for those that are left, in this order.
 */
public interface WorldPart {
  /**
   * Waits until the messages that this part has accepted have left. Accepts no more.
   *
   * @param nanos how long to wait
   * @return false when the time was over first
   */
  boolean flush(long nanos);

  /** Cancels receives and releases memory that no message can use any more. All sends have left. */
  void withdraw();

  /** Releases the memory. The engine has been left: nothing moves any more. */
  void release();
}
