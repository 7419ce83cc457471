// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.ffmpi.Info;
import org.ffmpi.SharedHeap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The shared heap of one rank. It checks arguments and calls the engine. */
public final class EngineHeap implements SharedHeap {
  private static final String ALIGNMENT = "mpi_minimum_memory_alignment";

  /** Alignment of C's malloc, which fits every type. */
  private static final long USUAL_ALIGNMENT = 16;

  private final World world;

  public EngineHeap(World world) {
    this.world = world;
  }

  @Standard({"MPI_Alloc_mem"})
  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    return allocate(bytes, alignment, null);
  }

  @Standard({"MPI_Alloc_mem"})
  @Override
  public MemorySegment allocate(long bytes, Info info) {
    long alignment;
    try {
      alignment = info == null ? USUAL_ALIGNMENT : info.get(ALIGNMENT).map(EngineHeap::alignment)
          .orElse(USUAL_ALIGNMENT);
    } catch (MpiException e) {
      throw world.raise(e);
    }
    return allocate(bytes, alignment, null);
  }

  private static long alignment(String value) {
    try {
      long bytes = Long.parseLong(value.strip());
      if (bytes > 0 && Long.bitCount(bytes) == 1) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // not allowed either
    }
    throw MpiException.argument(ErrorClass.ERR_INFO_VALUE, ALIGNMENT, value, "powers of two");
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
      return world.engine().allocateCollecting(bytes, alignment, arena);
    } catch (RuntimeException e) {
      throw world.raise(Failures.translate(e));
    }
  }
}
