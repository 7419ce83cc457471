// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.ffmpi.base.Standard;
import org.ffmpi.process.EngineHeap;

/**
 * Memory that lies in the job's shared mapping, so that a message out of it is copied once, straight into the
 * receiver's buffer ({@code MPI_Alloc_mem}, MPI-4.1 §9.2). For the program it is ordinary off-heap memory; nothing has
 * to be done differently to profit from it.
 *
 * {@snippet :
 * MemorySegment grid = mpi.shared().allocate(ValueLayout.JAVA_DOUBLE, rows * columns);   // until it is unreachable
 * try (Arena arena = Arena.ofConfined()) {
 *   MemorySegment halo = mpi.shared().within(arena).allocate(8 * columns, 64);           // until the arena is closed
 * }
 * }
 *
 * <p>Any thread may allocate. Memory comes zeroed. When the job's shared memory is used up, allocating asks the garbage
 * collector for blocks of this rank that have become unreachable, and waits up to half a second for them. When that
 * much is alive, or belongs to other ranks, it throws {@link org.ffmpi.base.MpiException} ERR_NO_MEM.
 *
 * @see Mpi#shared()
 */
public sealed interface SharedHeap extends SegmentAllocator permits EngineHeap {
  /**
   * Allocates memory that is freed some time after the segment and all its slices have become unreachable. Any thread
   * may touch it. Local; waits for no other rank.
   *
   * @param bytes size in bytes, not negative
   * @param alignment alignment in bytes, a power of two
   * @return a zeroed native segment
   * @throws org.ffmpi.base.MpiException ERR_ARG for a negative size or an alignment that is no power of two, ERR_NO_MEM
   *     when the shared memory is used up, ERR_OTHER after finalize
   */
  @Standard({"MPI_Alloc_mem", "MPI_Free_mem"})
  @Override
  MemorySegment allocate(long bytes, long alignment);

  /**
   * Allocates memory with hints ({@code MPI_Alloc_mem} with an info), as {@link #allocate(long, long)}.
   *
   * @param bytes size in bytes, not negative
   * @param info hints, null for none: {@code mpi_minimum_memory_alignment} is the alignment in bytes, a power of two,
   *     by default 16
   * @return a zeroed native segment
   * @throws org.ffmpi.base.MpiException as {@link #allocate(long, long)}; ERR_INFO when the info has been freed,
   *     ERR_INFO_VALUE when the alignment is no power of two
   */
  @Standard({"MPI_Alloc_mem"})
  MemorySegment allocate(long bytes, Info info);

  /**
   * Returns an allocator whose memory lives as long as an arena, with that arena's rules of access.
   *
   * @param arena the lifetime of the memory
   * @return an allocator over the same heap
   * @throws org.ffmpi.base.MpiException ERR_ARG when the arena is null
   */
  SegmentAllocator within(Arena arena);
}
