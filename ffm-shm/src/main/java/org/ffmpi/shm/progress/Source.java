// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/** The messages that come from one peer through its ring. */
public interface Source {
  /**
   * Returns whether a record is there. May be called without the rank's lock by the thread that polls.
   *
   * @return true when {@link #drain} would find one
   */
  boolean isReady();

  /**
   * Consumes the records that are there, a bounded number. Called with the rank's lock held.
   *
   * @return how many
   */
  int drain();
}
