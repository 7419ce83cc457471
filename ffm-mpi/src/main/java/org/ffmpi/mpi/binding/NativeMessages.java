// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.invoke.MethodHandle;
import org.ffmpi.mpi.binding.Linking.InC;

/**
 * The library's calls that send, receive and probe. None but {@link #send} and {@link #recv} waits; all make
 * progress of whatever is under way. A short one takes the JVM some 10 ns beside what the library does.
 */
public final class NativeMessages {
  @InC("int MPI_Isend (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle ISEND = Linking.of("MPI_Isend");

  @InC("int MPI_Issend (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle ISSEND = Linking.of("MPI_Issend");

  @InC("int MPI_Irecv (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle IRECV = Linking.of("MPI_Irecv");

  @InC("int MPI_Send (const void *, int, MPI_Datatype, int, int, MPI_Comm)")
  private static final MethodHandle SEND = Linking.of("MPI_Send");

  @InC("int MPI_Recv (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)")
  private static final MethodHandle RECV = Linking.of("MPI_Recv");

  @InC("int MPI_Send_init (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle SEND_INIT = Linking.of("MPI_Send_init");

  @InC("int MPI_Recv_init (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)")
  private static final MethodHandle RECV_INIT = Linking.of("MPI_Recv_init");

  @InC("int MPI_Iprobe (int, int, MPI_Comm, int *, MPI_Status *)")
  private static final MethodHandle IPROBE = Linking.of("MPI_Iprobe");

  @InC("int MPI_Improbe (int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *)")
  private static final MethodHandle IMPROBE = Linking.of("MPI_Improbe");

  @InC("int MPI_Imrecv (void *, int, MPI_Datatype, MPI_Message *, MPI_Request *)")
  private static final MethodHandle IMRECV = Linking.of("MPI_Imrecv");

  @InC("int MPI_Get_count (const MPI_Status *, MPI_Datatype, int *)")
  private static final MethodHandle GET_COUNT = Linking.of("MPI_Get_count");

  private NativeMessages() {}

  /**
   * Starts a send: {@code MPI_Isend}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param dest rank of the receiver
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
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
   * Starts a send that completes once it is matched: {@code MPI_Issend}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param dest rank of the receiver
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int issend(long buf, int count, long datatype, int dest, int tag, long comm, long request) {
    try {
      return (int) (long) ISSEND.invokeExact(buf, (long) count, datatype, (long) dest, (long) tag, comm, request);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Starts a receive: {@code MPI_Irecv}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
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
   * Sends: {@code MPI_Send}. May block.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param dest rank of the receiver
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @return the error code
   */
  public static int send(long buf, int count, long datatype, int dest, int tag, long comm) {
    try {
      return (int) (long) SEND.invokeExact(buf, (long) count, datatype, (long) dest, (long) tag, comm, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Receives: {@code MPI_Recv}. Blocks.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int recv(long buf, int count, long datatype, int source, int tag, long comm, long status) {
    try {
      return (int) (long) RECV.invokeExact(buf, (long) count, datatype, (long) source, (long) tag, comm, status);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Makes a persistent send: {@code MPI_Send_init}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param dest rank of the receiver
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int sendInit(long buf, int count, long datatype, int dest, int tag, long comm, long request) {
    try {
      return (int) (long) SEND_INIT.invokeExact(buf, (long) count, datatype, (long) dest, (long) tag, comm, request);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Makes a persistent receive: {@code MPI_Recv_init}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
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

  /**
   * Looks for a message: {@code MPI_Iprobe}.
   *
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param flag address of an int that the call writes: 1 for true
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int iprobe(int source, int tag, long comm, long flag, long status) {
    try {
      return (int) (long) IPROBE.invokeExact((long) source, (long) tag, comm, flag, status, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Looks for a message and takes it out of matching: {@code MPI_Improbe}.
   *
   * @param source rank of the sender, or {@link MpiConstants#ANY_SOURCE}
   * @param tag the tag; of a receive or probe also {@link MpiConstants#ANY_TAG}
   * @param comm the communicator
   * @param flag address of an int that the call writes: 1 for true
   * @param message address of the handle that the call writes
   * @param status address of a status, or {@link MpiConstants#STATUS_IGNORE}
   * @return the error code
   */
  public static int improbe(int source, int tag, long comm, long flag, long message, long status) {
    try {
      return (int) (long) IMPROBE.invokeExact((long) source, (long) tag, comm, flag, message, status, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Starts to receive a message that has been taken: {@code MPI_Imrecv}.
   *
   * @param buf absolute address of the data
   * @param count how many elements
   * @param datatype the elements' type
   * @param message address of its handle, which the call writes
   * @param request address of the handle that the call writes
   * @return the error code
   */
  public static int imrecv(long buf, int count, long datatype, long message, long request) {
    try {
      return (int) (long) IMRECV.invokeExact(buf, (long) count, datatype, message, request, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns the number of elements received: {@code MPI_Get_count}. {@link NativeStatus#bytes} is faster.
   *
   * @param status address of the status
   * @param datatype the elements' type
   * @param count address of an int
   * @return the error code
   */
  public static int getCount(long status, long datatype, long count) {
    try {
      return (int) (long) GET_COUNT.invokeExact(status, datatype, count, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }
}
