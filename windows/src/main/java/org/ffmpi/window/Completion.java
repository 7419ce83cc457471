// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/** Waits for accesses that have been begun. Accesses by loads and stores are over when they return. */
interface Completion {
  /** Blocks until all accesses to a target are complete, here and there. */
  void complete(int target);

  /** Blocks until all accesses to a target are complete as far as this rank's buffers are concerned. */
  void completeHere(int target);

  /** Blocks until all accesses are complete, here and at the targets. */
  void completeAll();

  /** Blocks until all accesses are complete as far as this rank's buffers are concerned. */
  void completeAllHere();
}
