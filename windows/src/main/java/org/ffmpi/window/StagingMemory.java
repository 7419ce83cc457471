// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory in which {@link PartService} keeps long elements of accumulates until they are combined, and long
 * results until they are sent. Long blocks are freed as soon as they are released: the garbage collector, which knows
 * nothing of their size, may be late. One thread at a time uses it.
 */
final class StagingMemory {
  /** Bytes in use up to which an access may get its memory before its turn comes. */
  private static final long MOST = 8 << 20;

  /** Longest block that is left to the garbage collector, and kept for the next access. */
  private static final long KEPT = 1 << 20;

  private long used;
  private MemorySegment spare;

  /**
   * A piece of the memory.
   *
   * @param arena owner of a long block; null for others
   */
  record Block(MemorySegment memory, long bytes, Arena arena) {}

  /** Returns whether a block fits beside those in use. */
  boolean fits(long bytes) {
    return bytes <= MOST - used;
  }

  /** Returns a block, whatever is in use. */
  Block acquire(long bytes) {
    Block block = bytes > KEPT ? longBlock(bytes) : new Block(shortMemory(bytes), bytes, null);
    used += bytes;
    return block;
  }

  private MemorySegment shortMemory(long bytes) {
    MemorySegment kept = spare;
    if (kept != null && kept.byteSize() >= bytes) {
      spare = null;
      return kept;
    }
    return Arena.ofAuto().allocate(bytes, 64);
  }

  private static Block longBlock(long bytes) {
    Arena arena = Arena.ofShared();
    boolean done = false;
    try {
      Block block = new Block(arena.allocate(bytes, 64), bytes, arena);
      done = true;
      return block;
    } finally {
      if (!done) {
        arena.close();
      }
    }
  }

  /** Releases a block that no message uses any more. */
  void release(Block block) {
    used -= block.bytes;
    if (block.arena != null) {
      block.arena.close();
    } else if (spare == null || spare.byteSize() < block.memory.byteSize()) {
      spare = block.memory;
    }
  }

  /** Releases a block whose message has failed; its memory is never used again. */
  void abandon(Block block) {
    used -= block.bytes;
  }
}
