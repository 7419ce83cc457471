// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * Reads an {@code MPI_Status}, which has {@link MpiConstants#STATUS_BYTES} bytes. The headers of two ABIs show the
 * member with the number of bytes, which saves a call for each message; that of MPI-5 does not.
 */
public final class NativeStatus {
  /** Room that {@link #bytes} needs. */
  public static final int SCRATCH_BYTES = Long.BYTES;

  private static final MpiAbi ABI = MpiLibrary.current().abi();
  private static final int SOURCE = MpiConstants.STATUS_SOURCE;

  private NativeStatus() {}

  /** Members that the standard does not name. */
  static final class Members {
    /** Offset of the lower half of the number of bytes in MPICH. */
    @InC("offsetof (MPI_Status, count_lo)")
    static final int MPICH_COUNT_LOW = 0;

    /** Offset of the upper half in MPICH, above one bit that marks a cancelled request. */
    @InC("offsetof (MPI_Status, count_hi_and_cancelled)")
    static final int MPICH_COUNT_HIGH = 4;

    /** Offset of the number of bytes in Open MPI. */
    @InC("offsetof (MPI_Status, _ucount)")
    static final int OPEN_MPI_COUNT = 16;

    private Members() {}
  }

  /** Holds a function of MPI-4, which not every library has; linked on first use. */
  private static final class Counting {
    @InC("int MPI_Get_count_c (const MPI_Status *, MPI_Datatype, MPI_Count *)")
    static final MethodHandle GET_COUNT_C = Linking.of("MPI_Get_count_c");
  }

  /**
   * Returns the sender's rank.
   *
   * @param status address of the status
   * @return {@code MPI_SOURCE}
   */
  public static int source(long status) {
    return Raw.getInt(status + SOURCE);
  }

  /**
   * Returns the number of bytes received.
   *
   * @param status address of the status of a receive that has completed without an error
   * @param scratch address of {@link #SCRATCH_BYTES} bytes, a multiple of 8, that the call may write
   * @return the number
   */
  public static long bytes(long status, long scratch) {
    return switch (ABI) {
      case MPICH -> (Raw.getInt(status + Members.MPICH_COUNT_LOW) & 0xffff_ffffL)
          | (long) (Raw.getInt(status + Members.MPICH_COUNT_HIGH) >>> 1) << Integer.SIZE;
      case OPEN_MPI -> Raw.getLong(status + Members.OPEN_MPI_COUNT);
      case STANDARD -> counted(status, scratch);
    };
  }

  private static long counted(long status, long scratch) {
    try {
      long code = (long) Counting.GET_COUNT_C.invokeExact(status, MpiConstants.BYTE, scratch, 0L, 0L, 0L, 0L);
      NativeErrors.check((int) code, "MPI_Get_count_c");
      return Raw.getLong(scratch);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
