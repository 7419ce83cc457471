// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls about the process: start and end, versions, names, texts of errors. Any thread may call them
 * where the standard says so.
 */
public final class NativeEnvironment {
  @InC("int MPI_Init_thread (int *, char ***, int, int *)")
  private static final MethodHandle INIT_THREAD = Linking.of("MPI_Init_thread");

  @InC("int MPI_Initialized (int *)")
  private static final MethodHandle INITIALIZED = Linking.of("MPI_Initialized");

  @InC("int MPI_Finalize (void)")
  private static final MethodHandle FINALIZE = Linking.of("MPI_Finalize");

  @InC("int MPI_Finalized (int *)")
  private static final MethodHandle FINALIZED = Linking.of("MPI_Finalized");

  @InC("int MPI_Query_thread (int *)")
  private static final MethodHandle QUERY_THREAD = Linking.of("MPI_Query_thread");

  @InC("int MPI_Abort (MPI_Comm, int)")
  private static final MethodHandle ABORT = Linking.of("MPI_Abort");

  @InC("int MPI_Get_version (int *, int *)")
  private static final MethodHandle GET_VERSION = Linking.of("MPI_Get_version");

  @InC("int MPI_Get_library_version (char *, int *)")
  private static final MethodHandle GET_LIBRARY_VERSION = Linking.of("MPI_Get_library_version");

  @InC("int MPI_Get_processor_name (char *, int *)")
  private static final MethodHandle GET_PROCESSOR_NAME = Linking.of("MPI_Get_processor_name");

  @InC("int MPI_Error_string (int, char *, int *)")
  private static final MethodHandle ERROR_STRING = Linking.of("MPI_Error_string");

  @InC("int MPI_Error_class (int, int *)")
  private static final MethodHandle ERROR_CLASS = Linking.of("MPI_Error_class");

  private NativeEnvironment() {}

  /**
   * Initializes MPI: {@code MPI_Init_thread}. Takes 0.1 to 0.3 s on one node. The JVM keeps its signals.
   *
   * @param argc 0: the library gets no arguments
   * @param argv 0
   * @param required the level of threads that is wanted, such as {@link MpiConstants#THREAD_MULTIPLE}
   * @param provided address of an int: the level that there is
   * @return the error code
   */
  public static int initThread(long argc, long argv, int required, long provided) {
    return SignalRules.keep(() -> {
      try {
        return (int) (long) INIT_THREAD.invokeExact(argc, argv, (long) required, provided, 0L, 0L, 0L);
      } catch (Throwable t) {
        throw Linking.rethrow(t);
      }
    });
  }

  /**
   * Returns whether MPI has been initialized: {@code MPI_Initialized}.
   *
   * @param flag address of an int that the call writes: 1 for true
   * @return the error code
   */
  public static int initialized(long flag) {
    try {
      return (int) (long) INITIALIZED.invokeExact(flag, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
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
   * Returns whether MPI has been finalized: {@code MPI_Finalized}.
   *
   * @param flag address of an int that the call writes: 1 for true
   * @return the error code
   */
  public static int finalized(long flag) {
    try {
      return (int) (long) FINALIZED.invokeExact(flag, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the level of threads: {@code MPI_Query_thread}.
   *
   * @param provided address of an int: the level that there is
   * @return the error code
   */
  public static int queryThread(long provided) {
    try {
      return (int) (long) QUERY_THREAD.invokeExact(provided, 0L, 0L, 0L, 0L, 0L, 0L);
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
   * Returns the version of the standard: {@code MPI_Get_version}.
   *
   * @param version address of an int
   * @param subversion address of an int
   * @return the error code
   */
  public static int getVersion(long version, long subversion) {
    try {
      return (int) (long) GET_VERSION.invokeExact(version, subversion, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the version of the library: {@code MPI_Get_library_version}. May be called at any time.
   *
   * @param version address of {@link MpiConstants#MAX_LIBRARY_VERSION_STRING} bytes
   * @param length address of an int: how many are used
   * @return the error code
   */
  public static int getLibraryVersion(long version, long length) {
    try {
      return (int) (long) GET_LIBRARY_VERSION.invokeExact(version, length, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the name of this rank's node: {@code MPI_Get_processor_name}.
   *
   * @param name address of {@link MpiConstants#MAX_PROCESSOR_NAME} bytes
   * @param length address of an int: how many are used
   * @return the error code
   */
  public static int getProcessorName(long name, long length) {
    try {
      return (int) (long) GET_PROCESSOR_NAME.invokeExact(name, length, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the text of an error code: {@code MPI_Error_string}.
   *
   * @param code what a call has returned
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
   * @param code what a call has returned
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
