// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

/**
 * A part of a {@link World} that holds messages or memory of the program, such as an attached buffer or an operation on
 * memory with counted users. It {@linkplain World#add registers} itself, and removes itself when it is empty; the
 * thread that closes the world calls the methods below for the remaining parts, in this order.
 */
public interface WorldPart {
  /**
   * Waits until the messages of this part have left, and accepts no more.
   *
   * @param nanos how long to wait
   * @return false when the time was over first
   */
  boolean flush(long nanos);

  /** Cancels receives and releases memory that no message can use any more. All sends have left. */
  void withdraw();

  /** Releases the memory, after the engine has been left. */
  void release();
}
