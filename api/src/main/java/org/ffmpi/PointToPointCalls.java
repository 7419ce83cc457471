// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link Comm} that send a buffer or receive into one. */
public sealed interface PointToPointCalls permits Comm {
  // ---- blocking

  /**
   * Sends and blocks until the buffer may be changed again ({@code MPI_Send} in standard mode, MPI-4.1 §3.2.1). Whether
   * that is before the receiver has matched the message depends on its length and on the space there is. Allocates
   * nothing.
   *
   * @param buf elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_BUFFER when the buffer is null, in place or may not be touched, ERR_TYPE when its type is
   *     not committed, ERR_RANK, ERR_TAG, ERR_OTHER after finalize, ERR_PROC_ABORTED when the receiver is gone
   */
  @Standard({"MPI_Send", "MPI_Send_c"})
  void send(Buf<?> buf, int dest, int tag);

  /**
   * Sends and blocks until the receiver has matched the message ({@code MPI_Ssend}, MPI-4.1 §3.4). Allocates nothing.
   *
   * @param buf elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Ssend", "MPI_Ssend_c"})
  void ssend(Buf<?> buf, int dest, int tag);

  /**
   * Sends as {@link #send(Buf, int, int)}, on the promise that the receive has been posted ({@code MPI_Rsend}, MPI-4.1
   * §3.4). A broken promise is an error of the program that is found, and ends the job, with the setting
   * {@code ffmpi.check=full}; without it the message is delivered like any other. Allocates nothing.
   *
   * @param buf elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Rsend", "MPI_Rsend_c"})
  void rsend(Buf<?> buf, int dest, int tag);

  /**
   * Receives and blocks until the message is there ({@code MPI_Recv} without a status, MPI-4.1 §3.2.4). Allocates
   * nothing.
   *
   * @param buf elements to fill, as many as there are in the message; the rest of the buffer and gaps in the type are
   *     left as they are
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, or {@code ANY_TAG}
   * @throws MpiException ERR_TRUNCATE when the message is longer than the buffer, ERR_BUFFER when the buffer is null,
   *     in place, read-only or may not be touched, ERR_TYPE when its type is not committed, ERR_RANK, ERR_TAG,
   *     ERR_OTHER after finalize, ERR_PROC_ABORTED when the only possible sender is gone
   */
  @Standard({"MPI_Recv", "MPI_Recv_c"})
  void recv(Buf<?> buf, int source, int tag);

  /**
   * Receives, blocks until the message is there, and describes it ({@code MPI_Recv}, MPI-4.1 §3.2.4). Allocates
   * nothing.
   *
   * @param buf elements to fill, as {@link #recv(Buf, int, int)}
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param into filled with source, tag and length, also when the call fails with ERR_TRUNCATE
   * @return {@code into}
   * @throws MpiException as {@link #recv(Buf, int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Recv", "MPI_Recv_c"})
  Status recv(Buf<?> buf, int source, int tag, Status into);

  // ---- nonblocking

  /**
   * Starts to send and returns at once ({@code MPI_Isend}, MPI-4.1 §3.7.2).
   *
   * @param buf elements to send; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request; one that is shared and complete when the message has already left
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Isend", "MPI_Isend_c"})
  Request isend(Buf<?> buf, int dest, int tag);

  /**
   * Starts a send that is complete only when the receiver has matched it ({@code MPI_Issend}, MPI-4.1 §3.7.2) and
   * returns at once.
   *
   * @param buf elements to send; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Issend", "MPI_Issend_c"})
  Request issend(Buf<?> buf, int dest, int tag);

  /**
   * Starts to send as {@link #isend(Buf, int, int)}, on the promise that the receive has been posted
   * ({@code MPI_Irsend}, MPI-4.1 §3.7.2), and returns at once. See {@link #rsend} for a broken promise.
   *
   * @param buf elements to send; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request; one that is shared and complete when the message has already left
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Irsend", "MPI_Irsend_c"})
  Request irsend(Buf<?> buf, int dest, int tag);

  /**
   * Starts to receive and returns at once ({@code MPI_Irecv}, MPI-4.1 §3.7.2).
   *
   * @param buf elements to fill; not to be touched until the request is complete
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, whose completion fails with ERR_TRUNCATE when the message is longer than the buffer
   * @throws MpiException as {@link #recv(Buf, int, int)}
   */
  @Standard({"MPI_Irecv", "MPI_Irecv_c"})
  Request irecv(Buf<?> buf, int source, int tag);

  /**
   * Starts to receive a message whose length need not be known, and returns at once ({@code MPI_Irecv}, MPI-4.1
   * §3.7.2): the memory is asked for when the message is matched. It receives the packed bytes of a message of any
   * type, which {@link Unpacker} takes apart where that is not one run of values.
   *
   * {@snippet :
   * byte[][] got = new byte[1][];
   * world.irecv(source, tag, length -> MemorySegment.ofArray(got[0] = new byte[(int) length])).await();
   * }
   *
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @param memory gets the number of bytes of the message and returns a writable segment of at least as many, of no
   *     confined arena; not called for {@code PROC_NULL}. It runs once, in whichever thread makes progress then, while
   *     that thread is inside MPI: it must be quick and make no calls of MPI
   * @return the request; its completion fails with what {@code memory} has thrown, or ERR_BUFFER when the segment is
   *     null or too short, and the message is gone then
   * @throws MpiException ERR_BUFFER when {@code memory} is null; ERR_RANK, ERR_TAG, ERR_OTHER after finalize
   */
  @Standard({"MPI_Irecv"})
  Request irecv(int source, int tag, LongFunction<MemorySegment> memory);

  /**
   * Opens a scope for nonblocking operations on this communicator.
   *
   * @return a scope that is to be awaited and closed
   */
  Requests requests();
}
