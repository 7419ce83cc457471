// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls that start and end MPI, and those that describe its errors. The standard decides which threads
 * may make them.
 */
public final class NativeEnvironment {
  @InC("int MPI_Init_thread (int *, char ***, int, int *)")
  private static final MethodHandle INIT_THREAD = Linking.of("MPI_Init_thread");

  @InC("int MPI_Finalize (void)")
  private static final MethodHandle FINALIZE = Linking.of("MPI_Finalize");

  @InC("int MPI_Abort (MPI_Comm, int)")
  private static final MethodHandle ABORT = Linking.of("MPI_Abort");

  @InC("int MPI_Error_string (int, char *, int *)")
  private static final MethodHandle ERROR_STRING = Linking.of("MPI_Error_string");

  @InC("int MPI_Error_class (int, int *)")
  private static final MethodHandle ERROR_CLASS = Linking.of("MPI_Error_class");

  private NativeEnvironment() {}

  /**
   * Initializes MPI: {@code MPI_Init_thread}. Takes 0.1 to 0.3 s on one node. The JVM keeps its signals.
   *
   * @param argc 0, without arguments
   * @param argv 0
   * @param required the requested level of threads, such as {@link MpiConstants#THREAD_MULTIPLE}
   * @param provided address of an int that the call writes: the level granted
   * @return the error code
   */
  public static int initThread(long argc, long argv, int required, long provided) {
    return SignalRules.keepHandlers(() -> {
      try {
        return (int) (long) INIT_THREAD.invokeExact(argc, argv, (long) required, provided, 0L, 0L, 0L);
      } catch (Throwable t) {
        throw Linking.rethrow(t);
      }
    });
  }

  /**
   * Ends MPI in this process: {@code MPI_Finalize}. Waits for the other ranks.
   *
   * @return the error code
   */
  public static int finalizeLibrary() {
    try {
      return (int) (long) FINALIZE.invokeExact(0L, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Ends all ranks: {@code MPI_Abort}. Does not return.
   *
   * @param comm the communicator
   * @param exitCode the exit code of the job
   * @return the error code
   */
  public static int abort(long comm, int exitCode) {
    try {
      return (int) (long) ABORT.invokeExact(comm, (long) exitCode, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the text of an error code: {@code MPI_Error_string}.
   *
   * @param code the code that a call has returned
   * @param text address of {@link MpiConstants#MAX_ERROR_STRING} bytes
   * @param length address of an int: how many are used
   * @return the error code
   */
  public static int errorString(int code, long text, long length) {
    try {
      return (int) (long) ERROR_STRING.invokeExact((long) code, text, length, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the class of an error code: {@code MPI_Error_class}.
   *
   * @param code the code that a call has returned
   * @param errorClass address of an int: the class, by the library's own number
   * @return the error code
   */
  public static int errorClass(int code, long errorClass) {
    try {
      return (int) (long) ERROR_CLASS.invokeExact((long) code, errorClass, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
