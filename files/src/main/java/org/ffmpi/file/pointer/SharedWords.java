// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.pointer;

import org.ffmpi.file.access.RangeLock;

/** The lock of a file and its shared pointer. Any thread of a rank, as far as the subclass allows. */
public interface SharedWords extends RangeLock {
  /** Returns whether any thread may call, not only those that may communicate. */
  boolean isForAllThreads();

  /** Returns the shared pointer, in etypes. */
  long pointer();

  /** Advances the shared pointer; returns where it was. */
  long advance(long etypes);

  /** Moves the shared pointer. */
  void move(long etypes);

  /** Releases what is behind the words; collective. */
  void close();
}
