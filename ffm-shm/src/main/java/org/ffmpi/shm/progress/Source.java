// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/** The incoming messages of one peer. */
public interface Source {
  /**
   * Returns whether a record has come. The poller may call it without the rank's lock.
   *
   * @return true when {@link #drain} would find one
   */
  boolean isReady();

  /**
   * Consumes the records that have come, a bounded number. Called with the rank's lock held.
   *
   * @return number of records
   */
  int drain();
}
