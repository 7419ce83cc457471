// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.MpiException;

/**
 * Memory with a count of users, which is released after the last of them. A library with buffers of its own implements
 * it to have them used in place, through {@code Buf.of}. Every call that uses such a buffer is one more user, from
 * before the first byte is touched until its operation is complete; so memory that its owner releases while a message
 * is on its way stays until that message has arrived.
 *
 * <p>Any thread may call.
 */
public interface CountedMemory {
  /**
   * Returns the memory, which stays in place as long as it has users. Asked once per buffer.
   *
   * @return a segment that any thread may touch: of a Java array, or native and of the global scope
   */
  MemorySegment segment();

  /**
   * Returns why the memory cannot be used at present. Has to be cheap: each call that uses the memory calls it.
   *
   * @return the requirement that is not met, as in "memory that has not been released"; null when it can be used
   */
  String missing();

  /**
   * Adds a user.
   *
   * @return by which the user leaves
   * @throws MpiException ERR_BUFFER when the memory has gone or moved
   */
  Lease lease();

  /** One user's hold on the memory. */
  @FunctionalInterface
  interface Lease extends AutoCloseable {
    /**
     * Ends this use of the memory. Called once, by any thread, with no lock held.
     *
     * @throws MpiException ERR_BUFFER when the memory had gone while it was in use
     */
    @Override
    void close();
  }
}
