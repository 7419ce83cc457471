// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.port.WindowOperations;

/**
 * The calls that make windows (MPI-4.1 §12.2). All of them are collective over the communicator, whose ranks become
 * those of the window, and block. Sizes and displacement units may differ between the ranks. The window is independent
 * of the communicator, which may be closed before it; its error handler is the one that the communicator's world begins
 * with.
 */
public sealed interface WindowCalls permits IntraComm, WindowOperations {
  /**
   * Makes a window with new memory ({@code MPI_Win_allocate}, MPI-4.1 §12.2.2), zeroed. It lies where the ranks reach
   * it with loads and stores, which makes this the fastest kind.
   *
   * @param bytes size of this rank's part, 0 or more
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @return the window, to be closed by all ranks
   * @throws MpiException ERR_SIZE when the size is negative, ERR_DISP when the unit is not positive, ERR_NO_MEM when
   *     there is not that much shared memory, at all ranks
   */
  @Standard({"MPI_Win_allocate", "MPI_Win_allocate_c"})
  default Win winAllocate(long bytes, int dispUnit) {
    return winAllocate(bytes, dispUnit, null);
  }

  /**
   * Makes a window with new memory and hints, as {@link #winAllocate(long, int)}.
   *
   * @param bytes size of this rank's part, 0 or more
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @param info hints, see {@link Win#info}; {@code mpi_minimum_memory_alignment} too; null for none
   * @return the window, to be closed by all ranks
   * @throws MpiException as {@link #winAllocate(long, int)}; ERR_INFO_VALUE when a hint has a value that it cannot have
   */
  @Standard({"MPI_Win_allocate", "MPI_Win_allocate_c"})
  Win winAllocate(long bytes, int dispUnit, Info info);

  /**
   * Makes a window with new memory that all ranks may also read and write directly, by {@link Win#segment(int)}
   * ({@code MPI_Win_allocate_shared}, MPI-4.1 §12.2.3). The parts of all ranks follow one another without gaps.
   *
   * @param bytes size of this rank's part, 0 or more
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @return the window, to be closed by all ranks
   * @throws MpiException as {@link #winAllocate(long, int)}; ERR_RMA_SHARED when the ranks share no memory
   */
  @Standard({"MPI_Win_allocate_shared", "MPI_Win_allocate_shared_c"})
  default Win winAllocateShared(long bytes, int dispUnit) {
    return winAllocateShared(bytes, dispUnit, null);
  }

  /**
   * Makes a window with new memory that all ranks share, as {@link #winAllocateShared(long, int)}, with hints.
   *
   * @param bytes size of this rank's part, 0 or more
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @param info hints, see {@link Win#info}: with {@code alloc_shared_noncontig=true} each part begins at a boundary of
   *     its own; null for none
   * @return the window, to be closed by all ranks
   * @throws MpiException as {@link #winAllocateShared(long, int)}; ERR_INFO_VALUE when a hint has a value that it
   *     cannot have
   */
  @Standard({"MPI_Win_allocate_shared", "MPI_Win_allocate_shared_c"})
  Win winAllocateShared(long bytes, int dispUnit, Info info);

  /**
   * Makes a window over memory that is there ({@code MPI_Win_create}, MPI-4.1 §12.2.1): from the beginning of the
   * buffer's elements as many bytes as they span. Memory from {@link Mpi#shared} is reached as that of
   * {@link #winAllocate(long, int)}; other memory, Java arrays included, is served by the rank that owns it, while it
   * makes MPI calls or has a progress thread.
   *
   * @param memory what the others may access: an array, or memory that can be written; null or no elements for nothing
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @return the window, to be closed by all ranks
   * @throws MpiException ERR_BASE when the memory cannot be used, ERR_DISP when the unit is not positive
   */
  @Standard({"MPI_Win_create", "MPI_Win_create_c"})
  default Win winCreate(Buf<?> memory, int dispUnit) {
    return winCreate(memory, dispUnit, null);
  }

  /**
   * Makes a window over memory that is there, as {@link #winCreate(Buf, int)}, with hints.
   *
   * @param memory what the others may access: an array, or memory that can be written; null or no elements for nothing
   * @param dispUnit bytes by which displacements in this rank's part are multiplied, 1 or more
   * @param info hints, see {@link Win#info}; null for none
   * @return the window, to be closed by all ranks
   * @throws MpiException as {@link #winCreate(Buf, int)}; ERR_INFO_VALUE when a hint has a value that it cannot have
   */
  @Standard({"MPI_Win_create", "MPI_Win_create_c"})
  Win winCreate(Buf<?> memory, int dispUnit, Info info);

  /**
   * Makes a window that has no memory yet ({@code MPI_Win_create_dynamic}, MPI-4.1 §12.2.4): each rank attaches some by
   * {@link Win#attach}. Displacements are addresses at the target, {@link Address#of}, which it tells the others.
   *
   * @return the window, to be closed by all ranks
   */
  @Standard({"MPI_Win_create_dynamic"})
  default Win winCreateDynamic() {
    return winCreateDynamic(null);
  }

  /**
   * Makes a window that has no memory yet, as {@link #winCreateDynamic()}, with hints.
   *
   * @param info hints, see {@link Win#info}; null for none
   * @return the window, to be closed by all ranks
   * @throws MpiException ERR_INFO_VALUE when a hint has a value that it cannot have
   */
  @Standard({"MPI_Win_create_dynamic"})
  Win winCreateDynamic(Info info);
}
