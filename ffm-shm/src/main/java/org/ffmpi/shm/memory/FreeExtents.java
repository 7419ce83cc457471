// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The free memory as extents that never touch each other. Released memory joins its neighbours at once, so that memory
 * of many small sizes can serve large ones again. The best fit is acquired, the lowest address first. It handles
 * addresses and accesses no memory. Not thread safe: {@link SharedHeapArena} holds its lock around each call.
 */
final class FreeExtents {
  /** Result of {@link #acquire} when no extent is large enough; no address has this value. */
  static final long NONE = -1;

  private record Extent(long bytes, long start) implements Comparable<Extent> {
    @Override
    public int compareTo(Extent other) {
      int bySize = Long.compare(bytes, other.bytes);
      return bySize != 0 ? bySize : Long.compare(start, other.start);
    }
  }

  private final TreeMap<Long, Long> byStart = new TreeMap<>();
  private final TreeSet<Extent> bySize = new TreeSet<>();

  /**
   * Acquires memory from the smallest extent that holds it.
   *
   * @param bytes number of bytes, more than 0
   * @param alignment power of two
   * @return the address, or {@link #NONE}
   */
  long acquire(long bytes, long alignment) {
    for (Extent extent : bySize.tailSet(new Extent(bytes, Long.MIN_VALUE))) {
      long start = extent.start + alignment - 1 & -alignment;
      if (extent.start + extent.bytes - start >= bytes) {
        remove(extent.start, extent.bytes);
        add(extent.start, start - extent.start);
        add(start + bytes, extent.start + extent.bytes - start - bytes);
        return start;
      }
    }
    return NONE;
  }

  /** Releases memory; returns the start of the extent that it has become a part of. */
  long release(long start, long bytes) {
    long from = start;
    long to = start + bytes;
    Map.Entry<Long, Long> below = byStart.lowerEntry(start);
    if (below != null && below.getKey() + below.getValue() == start) {
      from = below.getKey();
      remove(from, below.getValue());
    }
    Long above = byStart.get(to);
    if (above != null) {
      remove(to, above);
      to += above;
    }
    add(from, to - from);
    return from;
  }

  /** Returns the length of the extent that begins at an address, or 0. */
  long lengthAt(long start) {
    return byStart.getOrDefault(start, 0L);
  }

  /** Returns the start of the extent with the highest addresses, or {@link #NONE}. */
  long last() {
    return byStart.isEmpty() ? NONE : byStart.lastKey();
  }

  /** Removes memory from the extent that begins at an address. */
  void cut(long extent, long start, long bytes) {
    long end = extent + byStart.get(extent);
    remove(extent, end - extent);
    add(extent, start - extent);
    add(start + bytes, end - start - bytes);
  }

  private void add(long start, long bytes) {
    if (bytes > 0) {
      byStart.put(start, bytes);
      bySize.add(new Extent(bytes, start));
    }
  }

  private void remove(long start, long bytes) {
    byStart.remove(start);
    bySize.remove(new Extent(bytes, start));
  }
}
