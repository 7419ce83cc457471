// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * A matched message on its way from where the sender keeps it into the receive, with no packed form between, a bounded
 * step at a time. Used with the engine's lock held.
 */
interface OneCopy {
  /** Bytes per step: long enough that the copy runs at memory speed, short enough that polling stays brief. */
  long STEP = 1 << 20;

  RecvOp op();

  int peer();

  /** Copies the next step; true when nothing is left to do here. */
  boolean step();
}
