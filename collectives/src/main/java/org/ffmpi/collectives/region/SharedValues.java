// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.SharedMemory;

/**
 * Errors for values that other ranks have written to shared memory. Such a value is read once into a local variable and
 * checked before it is used: a broken rank must not crash the JVM of another one.
 */
public final class SharedValues {
  private SharedValues() {}

  /**
   * Returns the error for a value that no correct rank writes.
   *
   * @param rank whose memory it was read from
   * @param what what that rank does, and the value
   */
  public static MpiException corrupt(int rank, String what) {
    return new MpiException(ErrorClass.ERR_INTERN, "rank " + rank + " " + what + ": the shared memory is corrupt");
  }

  /**
   * Returns the address of shared memory at an offset that a rank has written.
   *
   * @throws MpiException ERR_INTERN when not all of it is shared memory
   */
  public static long address(SharedMemory memory, int rank, long offset, long bytes) {
    try {
      return memory.address(offset, bytes);
    } catch (MpiException e) {
      throw corrupt(rank, "names " + bytes + " bytes at offset " + offset);
    }
  }
}
