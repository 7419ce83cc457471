// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls about communicators. Those that make or free one are collective.
 */
public final class NativeComms {
  @InC("int MPI_Comm_rank (MPI_Comm, int *)")
  private static final MethodHandle COMM_RANK = Linking.of("MPI_Comm_rank");

  @InC("int MPI_Comm_size (MPI_Comm, int *)")
  private static final MethodHandle COMM_SIZE = Linking.of("MPI_Comm_size");

  @InC("int MPI_Comm_dup (MPI_Comm, MPI_Comm *)")
  private static final MethodHandle COMM_DUP = Linking.of("MPI_Comm_dup");

  @InC("int MPI_Comm_split (MPI_Comm, int, int, MPI_Comm *)")
  private static final MethodHandle COMM_SPLIT = Linking.of("MPI_Comm_split");

  @InC("int MPI_Comm_split_type (MPI_Comm, int, int, MPI_Info, MPI_Comm *)")
  private static final MethodHandle COMM_SPLIT_TYPE = Linking.of("MPI_Comm_split_type");

  @InC("int MPI_Comm_free (MPI_Comm *)")
  private static final MethodHandle COMM_FREE = Linking.of("MPI_Comm_free");

  @InC("int MPI_Comm_set_errhandler (MPI_Comm, MPI_Errhandler)")
  private static final MethodHandle COMM_SET_ERRHANDLER = Linking.of("MPI_Comm_set_errhandler");

  private NativeComms() {}

  /**
   * Returns this process's rank: {@code MPI_Comm_rank}.
   *
   * @param comm the communicator
   * @param rank address of an int
   * @return the error code
   */
  public static int commRank(long comm, long rank) {
    try {
      return (int) (long) COMM_RANK.invokeExact(comm, rank, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the number of ranks: {@code MPI_Comm_size}.
   *
   * @param comm the communicator
   * @param size address of an int
   * @return the error code
   */
  public static int commSize(long comm, long size) {
    try {
      return (int) (long) COMM_SIZE.invokeExact(comm, size, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Duplicates a communicator: {@code MPI_Comm_dup}.
   *
   * @param comm the communicator
   * @param newComm address of the handle that the call writes
   * @return the error code
   */
  public static int commDup(long comm, long newComm) {
    try {
      return (int) (long) COMM_DUP.invokeExact(comm, newComm, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Divides the ranks: {@code MPI_Comm_split}.
   *
   * @param comm the communicator
   * @param color the part that this rank belongs to, or {@link MpiConstants#UNDEFINED}
   * @param key the key that orders the part
   * @param newComm address of the handle that the call writes
   * @return the error code
   */
  public static int commSplit(long comm, int color, int key, long newComm) {
    try {
      return (int) (long) COMM_SPLIT.invokeExact(comm, (long) color, (long) key, newComm, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Divides the ranks by node: {@code MPI_Comm_split_type}.
   *
   * @param comm the communicator
   * @param splitType {@link MpiConstants#COMM_TYPE_SHARED}
   * @param key the key that orders the part
   * @param info {@link MpiConstants#INFO_NULL}
   * @param newComm address of the handle that the call writes
   * @return the error code
   */
  public static int commSplitType(long comm, int splitType, int key, long info, long newComm) {
    try {
      return (int) (long) COMM_SPLIT_TYPE.invokeExact(comm, (long) splitType, (long) key, info, newComm, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Frees a communicator: {@code MPI_Comm_free}.
   *
   * @param commHandle address of its handle, which the call writes
   * @return the error code
   */
  public static int commFree(long commHandle) {
    try {
      return (int) (long) COMM_FREE.invokeExact(commHandle, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Sets the error handler: {@code MPI_Comm_set_errhandler}.
   *
   * @param comm the communicator
   * @param handler such as {@link MpiConstants#ERRORS_RETURN}
   * @return the error code
   */
  public static int commSetErrhandler(long comm, long handler) {
    try {
      return (int) (long) COMM_SET_ERRHANDLER.invokeExact(comm, handler, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
