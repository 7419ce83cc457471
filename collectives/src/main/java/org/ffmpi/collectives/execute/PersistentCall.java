// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

/** A persistent collective operation, one start of which is in flight at a time. */
public interface PersistentCall {
  /** Starts the operation, which is complete or failed, or has never been started. */
  void restart();

  /** Releases the operation, which is complete and will not be started again. */
  void discard();
}
