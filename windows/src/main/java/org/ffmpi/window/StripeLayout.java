// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A stripe: the lock of some elements of a part, and scratch memory that the lock guards, in one cache line.
 *
 * <pre>
 *   0            8            16                                      64
 *  +------------+------------+-----------------------------------------+
 *  | holder     |            | scratch, 48 bytes                       |
 *  +------------+------------+-----------------------------------------+
 * </pre>
 *
 * <p>{@code holder} is 0 while the lock is free, else the holder's rank + 1. A compare-and-set acquires the lock, a
 * release store frees it; the scratch memory is plain. It is aligned for elements of 16 bytes.
 */
final class StripeLayout {
  static final long HOLDER_OFFSET = 0;
  static final long SCRATCH_OFFSET = HOLDER_OFFSET + 16;

  /** Length of a stripe. */
  static final long BYTES = 64;

  /** Length of the scratch memory. */
  static final long SCRATCH_BYTES = BYTES - SCRATCH_OFFSET;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT = structLayout(
        JAVA_LONG.withName("holder"), paddingLayout(8), sequenceLayout(SCRATCH_BYTES, JAVA_BYTE).withName("scratch"));

    private Shape() {}
  }

  private StripeLayout() {}

  static boolean casHolder(long stripe, long expected, long holder) {
    return Raw.compareAndSetLong(stripe + HOLDER_OFFSET, expected, holder);
  }

  static long getOpaqueHolder(long stripe) {
    return Raw.getOpaqueLong(stripe + HOLDER_OFFSET);
  }

  static void setReleaseFree(long stripe) {
    Raw.putReleaseLong(stripe + HOLDER_OFFSET, 0);
  }

  static long scratchAddress(long stripe) {
    return stripe + SCRATCH_OFFSET;
  }
}
