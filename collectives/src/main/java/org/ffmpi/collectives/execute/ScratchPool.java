// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Engine;

/**
 * Off-heap slabs for the scratch slots of one rank's executions. Sizes are powers of two; a slab that comes back is
 * kept, up to a bound on the sum, and the memory of those that do not is freed once they are unreachable. Any thread.
 *
 * <p>Large slabs come from the shared heap, where a receiver can read a message in place; when that is full, or the
 * engine has none, from private memory.
 */
public final class ScratchPool {
  /** Smallest slab. */
  private static final int LOWEST_SHIFT = 10;

  /** Slabs from this size on are shared: shorter contributions are copied to the region, shorter messages to a ring. */
  private static final long SHARED_FROM = 8 << 10;

  private static final long ALIGNMENT = 128;

  /** Native memory that is kept alive by this object. Linked while it is in the pool. */
  public static final class Slab {
    final MemorySegment memory;
    final long address;
    public final long bytes;
    private Slab next;

    private Slab(MemorySegment memory, long bytes) {
      this.memory = memory;
      this.address = Raw.address(memory);
      this.bytes = bytes;
    }
  }

  private final boolean shared;
  private final long mostKept;
  private final Slab[] free = new Slab[Long.SIZE];
  private long kept;
  private boolean sharedIsFull;

  /**
   * Creates an empty pool.
   *
   * @param shared whether to take large slabs from the shared heap
   * @param mostKept bytes of unused slabs to keep
   */
  public ScratchPool(boolean shared, long mostKept) {
    this.shared = shared;
    this.mostKept = mostKept;
  }

  /** Returns a slab of at least {@code bytes}; its contents are undefined. */
  public Slab acquire(Engine engine, long bytes) {
    int shift = Math.max(LOWEST_SHIFT, Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1));
    synchronized (this) {
      Slab slab = free[shift];
      if (slab != null) {
        free[shift] = slab.next;
        slab.next = null;
        kept -= slab.bytes;
        return slab;
      }
    }
    long size = 1L << shift;
    return new Slab(allocate(engine, size), size);
  }

  /** Releases a slab that is no longer used. */
  public synchronized void release(Slab slab) {
    if (kept + slab.bytes <= mostKept) {
      int shift = Long.numberOfTrailingZeros(slab.bytes);
      slab.next = free[shift];
      free[shift] = slab;
      kept += slab.bytes;
    }
  }

  private MemorySegment allocate(Engine engine, long bytes) {
    if (shared && bytes >= SHARED_FROM && !sharedIsFull) {
      try {
        return engine.allocateShared(bytes, ALIGNMENT, null);
      } catch (MpiException full) {
        sharedIsFull = true; // a race on this flag costs one more attempt; private memory does as well, only slower
      }
    }
    return Arena.ofAuto().allocate(bytes, ALIGNMENT);
  }
}
