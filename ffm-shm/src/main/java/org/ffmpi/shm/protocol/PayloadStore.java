// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Raw;

/**
 * The off-heap memory of unexpected payload. Blocks of powers of two are cut from slabs, released to free lists, and
 * returned to the system with the engine. Guarded by the rank's lock.
 */
final class PayloadStore {
  private static final int SMALLEST_SHIFT = 6;
  private static final int CLASSES = 40;
  private static final long SLAB_BYTES = 1 << 18;
  private static final long ALIGNMENT = 64;

  /** Keeps the slabs alive as long as the engine is reachable; no thread closes it while another may be inside. */
  private final Arena arena = Arena.ofAuto();

  private final List<Object> slabs = new ArrayList<>();
  private final long[] freeLists = new long[CLASSES];
  private long slabNext;
  private long slabEnd;
  private long used;

  /** Acquires a block of at least {@code bytes} bytes. */
  long acquire(long bytes) {
    int shift = shift(bytes);
    used += 1L << shift;
    long block = freeLists[shift];
    if (block != 0) {
      freeLists[shift] = Raw.getLong(block);
      return block;
    }
    long size = 1L << shift;
    if (size > SLAB_BYTES / 4) {
      return slab(size);
    }
    if (slabEnd - slabNext < size) {
      slabNext = slab(SLAB_BYTES);
      slabEnd = slabNext + SLAB_BYTES;
    }
    block = slabNext;
    slabNext += size;
    return block;
  }

  private long slab(long bytes) {
    var segment = arena.allocate(bytes, ALIGNMENT);
    slabs.add(segment);
    return Raw.address(segment);
  }

  /** Releases a block that {@link #acquire} has returned for the same number of bytes. */
  void release(long block, long bytes) {
    int shift = shift(bytes);
    used -= 1L << shift;
    Raw.putLong(block, freeLists[shift]);
    freeLists[shift] = block;
  }

  /** Returns the bytes in use, rounding included. */
  long used() {
    return used;
  }

  private static int shift(long bytes) {
    return Math.max(SMALLEST_SHIFT, 64 - Long.numberOfLeadingZeros(bytes - 1));
  }
}
