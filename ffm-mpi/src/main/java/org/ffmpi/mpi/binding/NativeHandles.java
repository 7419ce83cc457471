// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import org.ffmpi.base.raw.Raw;

/** Reads and writes handles in memory, which are ints in one ABI and pointers in the others. */
public final class NativeHandles {
  private static final boolean INTS = MpiConstants.HANDLE_BYTES == Integer.BYTES;

  private NativeHandles() {}

  /**
   * Reads a handle.
   *
   * @param address absolute address, a multiple of {@link MpiConstants#HANDLE_BYTES}
   * @return the handle; ints keep their sign, as in {@link MpiConstants}
   */
  public static long get(long address) {
    return INTS ? Raw.getInt(address) : Raw.getLong(address);
  }

  /**
   * Writes a handle.
   *
   * @param address absolute address, a multiple of {@link MpiConstants#HANDLE_BYTES}
   * @param handle the handle
   */
  public static void put(long address, long handle) {
    if (INTS) {
      Raw.putInt(address, (int) handle);
    } else {
      Raw.putLong(address, handle);
    }
  }
}
