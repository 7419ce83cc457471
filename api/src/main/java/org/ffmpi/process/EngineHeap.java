// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.ffmpi.SharedHeap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The shared heap of one rank: checks arguments and asks the engine. */
public final class EngineHeap implements SharedHeap {
  private final World world;

  public EngineHeap(World world) {
    this.world = world;
  }

  @Standard({"MPI_Alloc_mem"})
  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    return allocate(bytes, alignment, null);
  }

  @Override
  public SegmentAllocator within(Arena arena) {
    if (arena == null) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_ARG, "arena", null, "an arena"));
    }
    return new InArena(arena);
  }

  /** The same heap, for memory that lives as long as an arena. */
  private final class InArena implements SegmentAllocator {
    private final Arena arena;

    InArena(Arena arena) {
      this.arena = arena;
    }

    @Standard({"MPI_Alloc_mem"})
    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      return EngineHeap.this.allocate(bytes, alignment, arena);
    }
  }

  private MemorySegment allocate(long bytes, long alignment, Arena arena) {
    world.checkOpen();
    if (bytes < 0) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_ARG, "bytes", bytes, "0 or more"));
    }
    if (alignment <= 0 || Long.bitCount(alignment) != 1) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_ARG, "alignment", alignment, "powers of two"));
    }
    try {
      return world.engine().allocateShared(bytes, alignment, arena);
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }
}
