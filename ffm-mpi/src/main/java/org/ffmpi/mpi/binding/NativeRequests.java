// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls about requests. An array of handles has them {@link MpiConstants#HANDLE_BYTES} apart; {@link
 * NativeHandles} reads and writes one.
 */
public final class NativeRequests {
  @InC("int MPI_Start (MPI_Request *)")
  private static final MethodHandle START = Linking.of("MPI_Start");

  @InC("int MPI_Startall (int, MPI_Request [])")
  private static final MethodHandle STARTALL = Linking.of("MPI_Startall");

  @InC("int MPI_Test (MPI_Request *, int *, MPI_Status *)")
  private static final MethodHandle TEST = Linking.of("MPI_Test");

  @InC("int MPI_Testsome (int, MPI_Request [], int *, int [], MPI_Status [])")
  private static final MethodHandle TESTSOME = Linking.of("MPI_Testsome");

  @InC("int MPI_Testany (int, MPI_Request [], int *, int *, MPI_Status *)")
  private static final MethodHandle TESTANY = Linking.of("MPI_Testany");

  @InC("int MPI_Testall (int, MPI_Request [], int *, MPI_Status [])")
  private static final MethodHandle TESTALL = Linking.of("MPI_Testall");

  @InC("int MPI_Wait (MPI_Request *, MPI_Status *)")
  private static final MethodHandle WAIT = Linking.of("MPI_Wait");

  @InC("int MPI_Waitall (int, MPI_Request [], MPI_Status [])")
  private static final MethodHandle WAITALL = Linking.of("MPI_Waitall");

  @InC("int MPI_Cancel (MPI_Request *)")
  private static final MethodHandle CANCEL = Linking.of("MPI_Cancel");

  @InC("int MPI_Test_cancelled (const MPI_Status *, int *)")
  private static final MethodHandle TEST_CANCELLED = Linking.of("MPI_Test_cancelled");

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
   * Starts persistent requests: {@code MPI_Startall}.
   *
   * @param number how many requests
   * @param requests address of the first handle; they lie {@link MpiConstants#HANDLE_BYTES} apart
   * @return the error code
   */
  public static int startAll(int number, long requests) {
    try {
      return (int) (long) STARTALL.invokeExact((long) number, requests, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Looks whether a request has completed: {@code MPI_Test}.
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
   * Looks which requests have completed: {@code MPI_Testsome}.
   *
   * @param number how many requests
   * @param requests address of the first handle; they lie {@link MpiConstants#HANDLE_BYTES} apart
   * @param outcount address of an int: how many have completed, or {@link MpiConstants#UNDEFINED}
   * @param indices address of as many ints, the numbers of those that have completed
   * @param statuses address of as many statuses, or {@link MpiConstants#STATUSES_IGNORE}
   * @return the error code
   */
  public static int testSome(int number, long requests, long outcount, long indices, long statuses) {
    try {
      return (int) (long) TESTSOME.invokeExact((long) number, requests, outcount, indices, statuses, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Looks whether one of several requests has completed: {@code MPI_Testany}.
   *
   * @param number how many requests
   * @param requests address of the first handle; they lie {@link MpiConstants#HANDLE_BYTES} apart
   * @param index address of an int: which has completed, or {@link MpiConstants#UNDEFINED}
   * @param flag address of an int that the call writes: 1 for true
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int testAny(int number, long requests, long index, long flag, long status) {
    try {
      return (int) (long) TESTANY.invokeExact((long) number, requests, index, flag, status, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Looks whether all requests have completed: {@code MPI_Testall}.
   *
   * @param number how many requests
   * @param requests address of the first handle; they lie {@link MpiConstants#HANDLE_BYTES} apart
   * @param flag address of an int that the call writes: 1 for true
   * @param statuses address of as many statuses, or {@link MpiConstants#STATUSES_IGNORE}
   * @return the error code
   */
  public static int testAll(int number, long requests, long flag, long statuses) {
    try {
      return (int) (long) TESTALL.invokeExact((long) number, requests, flag, statuses, 0L, 0L, 0L);
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
   * Waits for requests: {@code MPI_Waitall}. Blocks.
   *
   * @param number how many requests
   * @param requests address of the first handle; they lie {@link MpiConstants#HANDLE_BYTES} apart
   * @param statuses address of as many statuses, or {@link MpiConstants#STATUSES_IGNORE}
   * @return the error code
   */
  public static int awaitAll(int number, long requests, long statuses) {
    try {
      return (int) (long) WAITALL.invokeExact((long) number, requests, statuses, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Asks for a request to be cancelled, which still has to complete: {@code MPI_Cancel}.
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
   * Returns whether a request that has completed was cancelled: {@code MPI_Test_cancelled}.
   *
   * @param status address of its status
   * @param flag address of an int that the call writes: 1 for true
   * @return the error code
   */
  public static int testCancelled(long status, long flag) {
    try {
      return (int) (long) TEST_CANCELLED.invokeExact(status, flag, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Frees a request, or has it freed when it completes: {@code MPI_Request_free}.
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
