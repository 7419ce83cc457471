// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Watermarks;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobLayout;
import org.ffmpi.shm.segment.JobSegment;

/**
 * One rank's part of the shared heap, with blocks of the job segment that peers can read in place.
 *
 * <p>Blocks of a page and more are whole pages, smaller ones are cut from slabs. Freed memory joins its free neighbours
 * and is used again, zeroed. A block may be freed by any thread, a garbage collector's among them; a block that a
 * transfer names is {@linkplain #pin pinned} and becomes free when the last transfer ends. Every live block holds a
 * share of the mapping, so that memory in use outlives the end of its rank.
 */
public final class SharedHeapArena {
  private static final long SMALLEST = 64;
  private static final long SLAB_BYTES = 1 << 16;

  private final JobSegment segment;
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentSkipListMap<Long, Block> blocks = new ConcurrentSkipListMap<>();
  private final FreeExtents pages = new FreeExtents();
  private final FreeExtents lines = new FreeExtents();
  private final TreeSet<Long> slabs = new TreeSet<>();
  private final Garbage garbage;
  private volatile long held;

  /** The marks of observers at {@link #held}. */
  private final Watermarks marks = new Watermarks();

  /**
   * Creates the part of one rank.
   *
   * @param segment the job's segment
   */
  public SharedHeapArena(JobSegment segment) {
    this.segment = segment;
    this.garbage = new Garbage(() -> held, segment.limit(), segment.ranks());
  }

  /**
   * Returns the bytes in use. Racy.
   *
   * @return bytes
   */
  public long usedBytes() {
    return held;
  }

  /**
   * Returns the number of blocks in use. Racy.
   *
   * @return their number
   */
  public int usedBlocks() {
    return blocks.size();
  }

  /**
   * Returns the marks of observers at the bytes in use.
   *
   * @return the marks
   */
  public Watermarks marks() {
    return marks;
  }

  /** One allocation. */
  public final class Block {
    private final long address;
    private final long bytes;
    private int pins;
    private boolean freed;

    Block(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }

    /** Removes one pin. */
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
        held -= bytes;
        recycle(address, bytes);
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
   * Pins the block around an address: it is not used again before {@link Block#unpin}.
   *
   * @param address absolute address
   * @return the block; null when it is not a block of this rank
   */
  public Block pin(long address) {
    lock.lock();
    try {
      var entry = blocks.floorEntry(address);
      if (entry == null || address >= entry.getKey() + entry.getValue().bytes) {
        return null; // another rank's block, in a world of threads, which its owner keeps
      }
      entry.getValue().pins++;
      return entry.getValue();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allocates zeroed memory. Does not wait.
   *
   * @param bytes size, not negative
   * @param alignment power of two, up to a page
   * @param arena lifetime of the memory, or null for automatic
   * @return a native segment
   */
  public MemorySegment allocate(long bytes, long alignment, Arena arena) {
    long size = checkedSize(bytes, alignment);
    return view(acquire(size, alignment), bytes, arena);
  }

  /**
   * Allocates zeroed memory for the program. When the blocks have grown much, or no memory is left, runs the garbage
   * collector and waits for unreachable blocks, half a second at most.
   *
   * @param bytes size, not negative
   * @param alignment power of two, up to a page
   * @param arena lifetime of the memory, or null for automatic
   * @return a native segment
   */
  public MemorySegment allocateCollecting(long bytes, long alignment, Arena arena) {
    long size = checkedSize(bytes, alignment);
    garbage.collectIfDue();
    Block block;
    try {
      block = acquire(size, alignment);
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_NO_MEM) {
        throw e;
      }
      block = garbage.collectFor(() -> acquireIfFree(size, alignment));
      if (block == null) {
        throw e;
      }
    }
    return view(block, bytes, arena);
  }

  private long checkedSize(long bytes, long alignment) {
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
    long unit = bytes < JobLayout.PAGE ? SMALLEST : JobLayout.PAGE;
    return Math.max(SMALLEST, bytes + unit - 1 & -unit);
  }

  private MemorySegment view(Block block, long bytes, Arena arena) {
    Raw.fill(block.address, bytes, (byte) 0);
    try {
      return Raw.view(block.address, bytes, arena == null ? Arena.ofAuto() : arena, block::free);
    } catch (RuntimeException e) {
      block.free();
      throw e;
    }
  }

  private Block acquireIfFree(long size, long alignment) {
    try {
      return acquire(size, alignment);
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_NO_MEM) {
        throw e;
      }
      return null;
    }
  }

  private Block acquire(long size, long alignment) {
    segment.retain();
    lock.lock();
    try {
      Block block = new Block(size < JobLayout.PAGE ? acquireLines(size, alignment) : acquirePages(size), size);
      blocks.put(block.address, block);
      held += size;
      marks.raise(held);
      return block;
    } catch (RuntimeException e) {
      segment.release();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private long acquirePages(long size) {
    long start = pages.acquire(size, JobLayout.PAGE);
    if (start != FreeExtents.NONE) {
      return start;
    }
    try {
      return segment.claim(size);
    } catch (MpiException e) {
      long last = pages.last();
      if (e.errorClass() != ErrorClass.ERR_NO_MEM || last == FreeExtents.NONE
          || !segment.releaseLast(last, pages.lengthAt(last))) {
        throw e;
      }
      pages.cut(last, last, pages.lengthAt(last)); // the free end and the unclaimed rest are one run again
      return segment.claim(size);
    }
  }

  private long acquireLines(long size, long alignment) {
    long start = lines.acquire(size, Math.max(alignment, SMALLEST));
    if (start == FreeExtents.NONE) {
      long slab = acquirePages(SLAB_BYTES);
      slabs.add(slab);
      lines.release(slab, SLAB_BYTES);
      start = lines.acquire(size, Math.max(alignment, SMALLEST));
    }
    return start;
  }

  /** Releases a block; a slab that has become free as a whole turns into pages again. */
  private void recycle(long address, long bytes) {
    if (bytes >= JobLayout.PAGE) {
      pages.release(address, bytes);
      return;
    }
    long start = lines.release(address, bytes);
    long end = start + lines.lengthAt(start);
    // A block may extend into the next slab where two slabs are neighbours.
    for (Long slab = slabs.floor(address + bytes - 1); slab != null && slab >= start; slab = slabs.lower(slab)) {
      if (slab + SLAB_BYTES <= end) {
        slabs.remove(slab);
        lines.cut(start, slab, SLAB_BYTES);
        pages.release(slab, SLAB_BYTES);
        end = slab;
      }
    }
  }
}
