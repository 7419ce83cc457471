// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/**
 * How the ranks of a window wait for one another. Two implementations: words in shared memory, and messages. Ranks are
 * those of the window; this rank's calls come one at a time. Calls that wait make progress for everything else of the
 * rank, and throw ERR_PROC_ABORTED when a rank is gone for which they wait.
 */
interface Synchronizer {
  /** Blocks until all ranks have called it; what any of them has stored before is visible afterwards. */
  void barrier();

  /** Lets a rank access this rank's part. */
  void post(int origin);

  /** Waits until a target has let this rank access its part once more than at the last call. */
  void awaitPost(int target);

  /** Notes that a target has let this rank access its part, without waiting: the program promises it. */
  void skipPost(int target);

  /** Tells a target that this rank's accesses to its part are complete. */
  void complete(int target);

  /** Waits until each of some ranks has called {@link #complete} for this rank's part once more. */
  void awaitCompletes(int[] origins);

  /** Returns whether {@link #awaitCompletes} would not wait; it is done then. */
  boolean testCompletes(int[] origins);

  /** Takes the lock of a part; waits for it in the order of all who want it. */
  void lock(int target, boolean exclusive);

  /** Gives the lock of a part back. */
  void unlock(int target, boolean exclusive);

  /** Ends what waits for calls that need not be waited for any more. */
  default void end() {}
}
