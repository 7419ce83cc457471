// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls that start messages. None of them blocks; each lets the library progress. The way from Java costs
 * some 10 ns a call.
 */
public final class NativeMessages {
  @InC("int MPI_Isend (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle ISEND = Linking.of("MPI_Isend");

  @InC("int MPI_Irecv (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle IRECV = Linking.of("MPI_Irecv");

  @InC("int MPI_Recv_init (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle RECV_INIT = Linking.of("MPI_Recv_init");

  private NativeMessages() {}

  /**
   * Starts a send: {@code MPI_Isend}.
   *
   * @param buf absolute address of the data
   * @param count number of elements
   * @param datatype the elements' type
   * @param dest rank of the receiver
   * @param tag the tag
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int isend(long buf, int count, long datatype, int dest, int tag, long comm, long request) {
    try {
      return (int) (long) ISEND.invokeExact(buf, (long) count, datatype, (long) dest, (long) tag, comm, request);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Starts a receive: {@code MPI_Irecv}.
   *
   * @param buf absolute address of the data
   * @param count number of elements
   * @param datatype the elements' type
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag, or {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int irecv(long buf, int count, long datatype, int source, int tag, long comm, long request) {
    try {
      return (int) (long) IRECV.invokeExact(buf, (long) count, datatype, (long) source, (long) tag, comm, request);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Makes a persistent receive: {@code MPI_Recv_init}.
   *
   * @param buf absolute address of the data
   * @param count number of elements
   * @param datatype the elements' type
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag, or {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int recvInit(long buf, int count, long datatype, int source, int tag, long comm, long request) {
    try {
      return (int) (long) RECV_INIT.invokeExact(buf, (long) count, datatype, (long) source, (long) tag, comm, request);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
