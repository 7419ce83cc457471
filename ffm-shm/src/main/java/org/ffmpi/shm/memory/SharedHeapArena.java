// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobLayout;
import org.ffmpi.shm.segment.JobSegment;

/**
 * One rank's part of the shared heap: blocks of the job segment that peers can read in place.
 *
 * <p>Sizes are rounded up to powers of two, or to eighths between them from a page up; freed blocks are kept by size
 * and used again, zeroed. A block may be freed by any thread, a garbage collector's among them; a block that a transfer
 * names is {@linkplain #pin pinned} and becomes free when the last transfer ends. Every live block holds a share
 * of the mapping, so that memory a user still holds outlives the rank's finalizing.
 */
public final class SharedHeapArena {
  private static final long SMALLEST = 64;
  private static final long SLAB_BYTES = 1 << 16;
  private static final int STEPS = 8;
  private static final int CLASSES = 64 * STEPS;

  private final JobSegment segment;
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentSkipListMap<Long, Block> blocks = new ConcurrentSkipListMap<>();
  @SuppressWarnings({"unchecked", "rawtypes"})
  private final ArrayDeque<Long>[] free = new ArrayDeque[CLASSES];
  private long slabNext;
  private long slabEnd;

  /**
   * Creates the part of one rank.
   *
   * @param segment the job's segment
   */
  public SharedHeapArena(JobSegment segment) {
    this.segment = segment;
  }

  /** One allocation. */
  public final class Block {
    private final long address;
    private final int sizeClass;
    private int pins;
    private boolean freed;

    Block(long address, int sizeClass) {
      this.address = address;
      this.sizeClass = sizeClass;
    }

    /** Ends one transfer's claim. */
    public void unpin() {
      lock.lock();
      try {
        pins--;
        recycleIfUnused();
      } finally {
        lock.unlock();
      }
    }

    private void free() {
      lock.lock();
      try {
        freed = true;
        recycleIfUnused();
      } finally {
        lock.unlock();
      }
    }

    private void recycleIfUnused() {
      if (freed && pins == 0) {
        blocks.remove(address);
        if (free[sizeClass] == null) {
          free[sizeClass] = new ArrayDeque<>();
        }
        free[sizeClass].push(address);
        segment.release();
      }
    }
  }

  /**
   * Returns whether an absolute address lies in the job segment, so that peers can read there.
   *
   * @param address absolute address
   * @return true in the segment
   */
  public boolean contains(long address) {
    return address - segment.base() >= 0 && address - segment.base() < segment.limit();
  }

  /**
   * Keeps the block around an address from being used again until {@link Block#unpin}.
   *
   * @param address absolute address
   * @return the block; null when it is not a block of this rank
   */
  public Block pin(long address) {
    lock.lock();
    try {
      var entry = blocks.floorEntry(address);
      if (entry == null || address >= entry.getKey() + bytesOf(entry.getValue().sizeClass)) {
        return null; // another rank's block, in a world of threads: its owner keeps it
      }
      entry.getValue().pins++;
      return entry.getValue();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allocates zeroed memory.
   *
   * @param bytes size, not negative
   * @param alignment power of two, up to a page
   * @param arena lifetime of the memory, or null for automatic
   * @return a native segment
   */
  public MemorySegment allocate(long bytes, long alignment, Arena arena) {
    if (bytes < 0) {
      throw MpiException.argument(ErrorClass.ERR_SIZE, "bytes", bytes, "0 or more");
    }
    if (Long.bitCount(alignment) != 1 || alignment > JobLayout.PAGE) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "alignment", alignment, "powers of two up to " + JobLayout.PAGE);
    }
    if (bytes > segment.limit()) {
      throw new MpiException(
          ErrorClass.ERR_NO_MEM,
          "bytes = " + bytes + ": the job's shared memory ends at " + segment.limit() + " (setting ffmpi.shm.limit)");
    }
    long size = Math.max(Math.max(bytes, alignment), SMALLEST);
    if (size > JobLayout.PAGE) {
      size = (size + JobLayout.PAGE - 1) & -JobLayout.PAGE; // the segment gives whole pages: finer classes save nothing
    }
    int sizeClass = classOf(size);
    Block block = acquire(sizeClass);
    Raw.fill(block.address, bytes, (byte) 0);
    try {
      return Raw.view(block.address, bytes, arena == null ? Arena.ofAuto() : arena, block::free);
    } catch (RuntimeException e) {
      block.free();
      throw e;
    }
  }

  private Block acquire(int sizeClass) {
    segment.retain();
    lock.lock();
    try {
      long address = free[sizeClass] != null && !free[sizeClass].isEmpty() ? free[sizeClass].pop() : cut(sizeClass);
      Block block = new Block(address, sizeClass);
      blocks.put(address, block);
      return block;
    } catch (RuntimeException e) {
      segment.release();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private long cut(int sizeClass) {
    long size = bytesOf(sizeClass);
    if (size >= JobLayout.PAGE) {
      return segment.claim(size);
    }
    long start = (slabNext + size - 1) & -size; // small sizes are powers of two, and so aligned to themselves
    if (slabNext == 0 || start + size > slabEnd) {
      start = segment.claim(SLAB_BYTES);
      slabEnd = start + SLAB_BYTES;
    }
    slabNext = start + size;
    return start;
  }

  /** Classes are powers of two below a page, and eight steps per power above it. */
  static int classOf(long size) {
    int shift = 63 - Long.numberOfLeadingZeros(size);
    if (size <= JobLayout.PAGE) {
      return (Long.bitCount(size) == 1 ? shift : shift + 1) * STEPS;
    }
    long step = (1L << shift) / STEPS;
    long steps = (size - (1L << shift) + step - 1) / step;
    return shift * STEPS + (int) steps;
  }

  static long bytesOf(int sizeClass) {
    int shift = sizeClass / STEPS;
    return (1L << shift) + (sizeClass % STEPS) * ((1L << shift) / STEPS);
  }

  /** Called when the rank has left; blocks that users still hold keep their share of the mapping. */
  public void leave() {
    lock.lock();
    try {
      slabNext = 0;
      slabEnd = 0;
    } finally {
      lock.unlock();
    }
  }
}
