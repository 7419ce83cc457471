// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import org.ffmpi.spi.Operation;

/** The incoming messages of one peer. */
public interface Source {
  /**
   * Consumes the records that have come, a bounded number. Called with the rank's lock held.
   *
   * @return number of records
   */
  int drain();

  /**
   * Waits briefly for a record, and consumes what has come until an operation is complete. What no receive waits for
   * then is left for later. Called with the rank's lock held.
   *
   * @param looks most looks before the first record
   * @param op the operation
   * @return number of records
   */
  int drain(int looks, Operation op);
}
