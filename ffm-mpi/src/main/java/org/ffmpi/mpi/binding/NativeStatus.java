// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * What a status says, an {@code MPI_Status} of {@link MpiConstants#STATUS_BYTES} bytes. Two ABIs show in their headers
 * where the number of bytes is, which saves a call for each message; that of MPI-5 keeps it to itself.
 */
public final class NativeStatus {
  /** Room that {@link #bytes} needs. */
  public static final int SCRATCH_BYTES = Long.BYTES;

  private static final MpiAbi ABI = MpiLibrary.current().abi();
  private static final int SOURCE = MpiConstants.STATUS_SOURCE;
  private static final int TAG = MpiConstants.STATUS_TAG;
  private static final int ERROR = MpiConstants.STATUS_ERROR;

  private NativeStatus() {}

  /** Members that the standard does not name. */
  static final class Members {
    /** Where MPICH has the lower half of the number of bytes. */
    @InC("offsetof (MPI_Status, count_lo)")
    static final int MPICH_COUNT_LOW = 0;

    /** Where MPICH has the upper half, above one bit that says that the request was cancelled. */
    @InC("offsetof (MPI_Status, count_hi_and_cancelled)")
    static final int MPICH_COUNT_HIGH = 4;

    /** Where Open MPI has the number of bytes. */
    @InC("offsetof (MPI_Status, _ucount)")
    static final int OPEN_MPI_COUNT = 16;

    private Members() {}
  }

  /** Linked only where it is needed: not every library has it. */
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
   * Returns the message's tag.
   *
   * @param status address of the status
   * @return {@code MPI_TAG}
   */
  public static int tag(long status) {
    return Raw.getInt(status + TAG);
  }

  /**
   * Returns the error code, which only calls about several requests write.
   *
   * @param status address of the status
   * @return {@code MPI_ERROR}
   */
  public static int error(long status) {
    return Raw.getInt(status + ERROR);
  }

  /**
   * Returns the number of bytes received.
   *
   * @param status address of the status of a receive or probe that has completed without an error
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
