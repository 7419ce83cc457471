// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls about requests. {@link NativeHandles} reads and writes their handles.
 */
public final class NativeRequests {
  @InC("int MPI_Start (MPI_Request *)")
  private static final MethodHandle START = Linking.of("MPI_Start");

  @InC("int MPI_Test (MPI_Request *, int *, MPI_Status *)")
  private static final MethodHandle TEST = Linking.of("MPI_Test");

  @InC("int MPI_Wait (MPI_Request *, MPI_Status *)")
  private static final MethodHandle WAIT = Linking.of("MPI_Wait");

  @InC("int MPI_Cancel (MPI_Request *)")
  private static final MethodHandle CANCEL = Linking.of("MPI_Cancel");

  @InC("int MPI_Request_free (MPI_Request *)")
  private static final MethodHandle REQUEST_FREE = Linking.of("MPI_Request_free");

  private NativeRequests() {}

  /**
   * Starts a persistent request: {@code MPI_Start}.
   *
   * @param requestHandle address of the handle, which the call may write
   * @return the error code
   */
  public static int start(long requestHandle) {
    try {
      return (int) (long) START.invokeExact(requestHandle, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Tests whether a request has completed: {@code MPI_Test}.
   *
   * @param requestHandle address of the handle, which the call may write
   * @param flag address of an int that the call writes: 1 for true
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int test(long requestHandle, long flag, long status) {
    try {
      return (int) (long) TEST.invokeExact(requestHandle, flag, status, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Waits for a request: {@code MPI_Wait}. Blocks.
   *
   * @param requestHandle address of the handle, which the call may write
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int await(long requestHandle, long status) {
    try {
      return (int) (long) WAIT.invokeExact(requestHandle, status, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Cancels a request, which still has to complete: {@code MPI_Cancel}.
   *
   * @param requestHandle address of the handle, which the call may write
   * @return the error code
   */
  public static int cancel(long requestHandle) {
    try {
      return (int) (long) CANCEL.invokeExact(requestHandle, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Frees a request, at once or when it completes: {@code MPI_Request_free}.
   *
   * @param requestHandle address of the handle, which the call may write
   * @return the error code
   */
  public static int requestFree(long requestHandle) {
    try {
      return (int) (long) REQUEST_FREE.invokeExact(requestHandle, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
