// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** The types of window locks, which exclude or admit other holders (MPI-4.1 §12.5.3). */
public enum LockType {
  /** Any number of ranks may hold it at a time. */
  @Standard({"MPI_LOCK_SHARED"})
  SHARED(Constants.LOCK_SHARED),

  /** One rank holds it, and no other any lock of the same target. */
  @Standard({"MPI_LOCK_EXCLUSIVE"})
  EXCLUSIVE(Constants.LOCK_EXCLUSIVE);

  private final int code;

  LockType(int code) {
    this.code = code;
  }

  /**
   * Returns the number that the MPI-5 binary interface gives to this type.
   *
   * @return {@code LOCK_SHARED} or {@code LOCK_EXCLUSIVE} of {@link Constants}
   */
  public int code() {
    return code;
  }
}
