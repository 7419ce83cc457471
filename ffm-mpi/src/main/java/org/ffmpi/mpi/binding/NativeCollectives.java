// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's collective calls. All of them block but {@link #ibarrier}.
 *
 * <p>MPICH 4.0 takes unsigned integers for signed ones in {@code MPI_MIN} and {@code MPI_MAX}.
 */
public final class NativeCollectives {
  @InC("int MPI_Ibarrier (MPI_Comm, MPI_Request *)")
  private static final MethodHandle IBARRIER = Linking.of("MPI_Ibarrier");

  @InC("int MPI_Bcast (void *, int, MPI_Datatype, int, MPI_Comm)")
  private static final MethodHandle BCAST = Linking.of("MPI_Bcast");

  @InC("int MPI_Allreduce (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)")
  private static final MethodHandle ALLREDUCE = Linking.of("MPI_Allreduce");

  @InC("int MPI_Allgather (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)")
  private static final MethodHandle ALLGATHER = Linking.of("MPI_Allgather");

  private NativeCollectives() {}

  /**
   * Starts a barrier: {@code MPI_Ibarrier}.
   *
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int ibarrier(long comm, long request) {
    try {
      return (int) (long) IBARRIER.invokeExact(comm, request, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Broadcasts the root's data: {@code MPI_Bcast}.
   *
   * @param buf absolute address of the data
   * @param count number of elements
   * @param datatype the elements' type
   * @param root rank of the root
   * @param comm the communicator
   * @return the error code
   */
  public static int bcast(long buf, int count, long datatype, int root, long comm) {
    try {
      return (int) (long) BCAST.invokeExact(buf, (long) count, datatype, (long) root, comm, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Combines all ranks' data at all: {@code MPI_Allreduce}.
   *
   * @param sendbuf absolute address of this rank's data
   * @param recvbuf absolute address of the results
   * @param count number of elements
   * @param datatype the elements' type
   * @param op the operation
   * @param comm the communicator
   * @return the error code
   */
  public static int allreduce(long sendbuf, long recvbuf, int count, long datatype, long op, long comm) {
    try {
      return (int) (long) ALLREDUCE.invokeExact(sendbuf, recvbuf, (long) count, datatype, op, comm, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Collects all ranks' data at all: {@code MPI_Allgather}.
   *
   * @param sendbuf absolute address of this rank's data
   * @param sendcount number of elements that this rank sends
   * @param sendtype their type
   * @param recvbuf absolute address of the results
   * @param recvcount number of elements from each rank
   * @param recvtype their type
   * @param comm the communicator
   * @return the error code
   */
  public static int allgather(
      long sendbuf, int sendcount, long sendtype, long recvbuf, int recvcount, long
      recvtype, long comm) {
    try {
      return (int) (long) ALLGATHER.invokeExact(
          sendbuf, (long) sendcount, sendtype, recvbuf, (long)
          recvcount, recvtype, comm);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
