// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/** Waits for accesses of this rank. Those by loads and stores are complete when they return. */
interface Completion {
  /** Blocks until all accesses to a target are complete at origin and target. */
  void complete(int target);

  /** Blocks until all accesses to a target are complete at the origin: its buffers may be used again. */
  void completeLocally(int target);

  /** Blocks until all accesses to some targets are complete at origin and targets; waits for all of them at once. */
  void completeAll(int[] targets);

  /** Blocks until all accesses are complete at origin and targets; waits for all targets at once. */
  void completeAll();

  /** Blocks until all accesses are complete at the origin. */
  void completeAllLocally();
}
