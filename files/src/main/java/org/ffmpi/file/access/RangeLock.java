// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

/**
 * The lock of a file among its ranks. Writes share it; a rank that reads bytes of others to write them back has it for
 * itself, as have the accesses of atomic mode. Not taken twice by one thread. Any thread.
 */
public interface RangeLock {
  /** Returns whether sharing costs next to nothing; otherwise {@link #share} does nothing and no rank sieves. */
  boolean isCheap();

  /** Waits until no rank has the lock for itself, and keeps others from having it so. */
  void share();

  /** Ends what {@link #share} began. */
  void unshare();

  /** Waits until this rank has the lock for itself. */
  void lock();

  /** Ends what {@link #lock} began. */
  void unlock();
}
