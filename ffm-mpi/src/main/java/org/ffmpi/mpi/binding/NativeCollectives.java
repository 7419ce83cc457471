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
  @InC("int MPI_Barrier (MPI_Comm)")
  private static final MethodHandle BARRIER = Linking.of("MPI_Barrier");

  @InC("int MPI_Ibarrier (MPI_Comm, MPI_Request *)")
  private static final MethodHandle IBARRIER = Linking.of("MPI_Ibarrier");

  @InC("int MPI_Bcast (void *, int, MPI_Datatype, int, MPI_Comm)")
  private static final MethodHandle BCAST = Linking.of("MPI_Bcast");

  @InC("int MPI_Reduce (const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm)")
  private static final MethodHandle REDUCE = Linking.of("MPI_Reduce");

  @InC("int MPI_Allreduce (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)")
  private static final MethodHandle ALLREDUCE = Linking.of("MPI_Allreduce");

  @InC("int MPI_Gather (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm)")
  private static final MethodHandle GATHER = Linking.ofLong("MPI_Gather");

  @InC("int MPI_Gatherv (const void *, int, MPI_Datatype, void *, const int [], const int [], MPI_Datatype,"
      + " int, MPI_Comm)")
  private static final MethodHandle GATHERV = Linking.ofLong("MPI_Gatherv");

  @InC("int MPI_Allgather (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)")
  private static final MethodHandle ALLGATHER = Linking.of("MPI_Allgather");

  @InC("int MPI_Allgatherv (const void *, int, MPI_Datatype, void *, const int [], const int [], MPI_Datatype,"
      + " MPI_Comm)")
  private static final MethodHandle ALLGATHERV = Linking.ofLong("MPI_Allgatherv");

  private NativeCollectives() {}

  /**
   * Waits for all ranks: {@code MPI_Barrier}.
   *
   * @param comm the communicator
   * @return the error code
   */
  public static int barrier(long comm) {
    try {
      return (int) (long) BARRIER.invokeExact(comm, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

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
   * Gives all ranks the root's data: {@code MPI_Bcast}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
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
   * Combines all ranks' data at the root: {@code MPI_Reduce}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param recvbuf absolute address of the results
   * @param count how many elements
   * @param datatype the elements' type
   * @param op the operation
   * @param root rank of the root
   * @param comm the communicator
   * @return the error code
   */
  public static int reduce(long sendbuf, long recvbuf, int count, long datatype, long op, int root, long comm) {
    try {
      return (int) (long) REDUCE.invokeExact(sendbuf, recvbuf, (long) count, datatype, op, (long) root, comm);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Combines all ranks' data at all: {@code MPI_Allreduce}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param recvbuf absolute address of the results
   * @param count how many elements
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
   * Collects all ranks' data at the root: {@code MPI_Gather}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param sendcount how many elements this rank sends
   * @param sendtype type of what is sent
   * @param recvbuf absolute address of the results
   * @param recvcount how many elements each rank gives
   * @param recvtype type of what is received
   * @param root rank of the root
   * @param comm the communicator
   * @return the error code
   */
  public static int gather(
      long sendbuf, int sendcount, long sendtype, long recvbuf, int recvcount, long
      recvtype, int root, long comm) {
    try {
      return (int) (long) GATHER.invokeExact(
          sendbuf, (long) sendcount, sendtype, recvbuf, (long)
          recvcount, recvtype, (long) root, comm, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Collects all ranks' data of different lengths at the root: {@code MPI_Gatherv}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param sendcount how many elements this rank sends
   * @param sendtype type of what is sent
   * @param recvbuf absolute address of the results
   * @param recvcounts address of an int for each rank: how many elements it gives
   * @param displs address of an int for each rank: where they belong, in elements
   * @param recvtype type of what is received
   * @param root rank of the root
   * @param comm the communicator
   * @return the error code
   */
  public static int gatherv(
      long sendbuf, int sendcount, long sendtype, long recvbuf, long recvcounts, long
      displs, long recvtype, int root, long comm) {
    try {
      return (int) (long) GATHERV.invokeExact(
          sendbuf, (long) sendcount, sendtype, recvbuf, recvcounts,
          displs, recvtype, (long) root, comm);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Collects all ranks' data at all: {@code MPI_Allgather}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param sendcount how many elements this rank sends
   * @param sendtype type of what is sent
   * @param recvbuf absolute address of the results
   * @param recvcount how many elements each rank gives
   * @param recvtype type of what is received
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

  /**
   * Collects all ranks' data of different lengths at all: {@code MPI_Allgatherv}.
   *
   * @param sendbuf absolute address of this rank's data, or {@link MpiConstants#IN_PLACE} where the standard allows
   *     it
   * @param sendcount how many elements this rank sends
   * @param sendtype type of what is sent
   * @param recvbuf absolute address of the results
   * @param recvcounts address of an int for each rank: how many elements it gives
   * @param displs address of an int for each rank: where they belong, in elements
   * @param recvtype type of what is received
   * @param comm the communicator
   * @return the error code
   */
  public static int allgatherv(
      long sendbuf, int sendcount, long sendtype, long recvbuf, long recvcounts, long
      displs, long recvtype, long comm) {
    try {
      return (int) (long) ALLGATHERV.invokeExact(
          sendbuf, (long) sendcount, sendtype, recvbuf, recvcounts,
          displs, recvtype, comm, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
