// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/**
 * The waits of a window's ranks for one another, by words in shared memory or by messages. Ranks are those of the
 * window; one thread calls at a time. Calls that wait make progress for the whole rank. They throw ERR_PROC_ABORTED
 * when a rank for which they wait has departed, and ERR_PROC_FAILED when any rank of the window has died in a job that
 * outlives it: the rank for which they wait may wait for that one.
 */
interface Synchronizer {
  /** Blocks until all ranks have called it. Stores of any rank before the call are visible after it. */
  void barrier();

  /** Posts this rank's part to an origin. */
  void post(int origin);

  /** Waits for the next post of a target to this rank. */
  void awaitPost(int target);

  /** Consumes the next post of a target without waiting (MPI_MODE_NOCHECK). */
  void skipPost(int target);

  /** Notifies a target that this rank's accesses to its part are complete. */
  void complete(int target);

  /** Waits for the next completion of each of some origins. Their epochs are over also when it throws. */
  void awaitCompletes(int[] origins);

  /** Does the same as {@link #awaitCompletes} if it need not wait; returns whether it has. */
  boolean testCompletes(int[] origins);

  /** Returns whether only messages reach the lock of a part. */
  default boolean isFar(int target) {
    return false;
  }

  /** Acquires the lock of a part; requests are served in their order. */
  void lock(int target, boolean exclusive);

  /** Releases the lock of a part. */
  void unlock(int target, boolean exclusive);

  /** Receives messages that are still to come because {@link #skipPost} did not wait for them. */
  default void close() {}
}
