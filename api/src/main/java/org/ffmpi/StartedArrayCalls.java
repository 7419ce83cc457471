// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.ArrayBufs;

/**
 * The calls of {@link Comm} on whole arrays that return a request, nonblocking and persistent. An {@code A} is an array
 * of primitives or a {@link java.lang.foreign.MemorySegment} of bytes, as in {@link WholeArrayCalls}. No call blocks;
 * the data are not to be touched until the request is complete.
 */
public sealed interface StartedArrayCalls permits Comm {
  /**
   * Prepares a send of a whole array ({@code MPI_Send_init}, MPI-4.1 §3.9), as {@link
   * Comm#sendInit(Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data all elements are sent, as they are at each start
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, inactive
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Send_init", "MPI_Send_init_c"})
  default <A> Persistent sendInit(A data, int dest, int tag) {
    return ((Comm) this).sendInit(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Prepares a send in buffered mode of a whole array ({@code MPI_Bsend_init}, MPI-4.1 §3.9), as {@link
   * Comm#bsendInit(Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data all elements are sent, as they are at each start
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, inactive
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Bsend_init", "MPI_Bsend_init_c"})
  default <A> Persistent bsendInit(A data, int dest, int tag) {
    return ((Comm) this).bsendInit(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Prepares a synchronous send of a whole array ({@code MPI_Ssend_init}, MPI-4.1 §3.9), as {@link
   * Comm#ssendInit(Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data all elements are sent, as they are at each start
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, inactive
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Ssend_init", "MPI_Ssend_init_c"})
  default <A> Persistent ssendInit(A data, int dest, int tag) {
    return ((Comm) this).ssendInit(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Prepares a send in ready mode of a whole array ({@code MPI_Rsend_init}, MPI-4.1 §3.9), as {@link
   * Comm#rsendInit(Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data all elements are sent, as they are at each start
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request, inactive
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Rsend_init", "MPI_Rsend_init_c"})
  default <A> Persistent rsendInit(A data, int dest, int tag) {
    return ((Comm) this).rsendInit(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Prepares a receive into a whole array ({@code MPI_Recv_init}, MPI-4.1 §3.9), as {@link
   * Comm#recvInit(Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data takes the elements of a message that is no longer
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the message, or {@code ANY_TAG}
   * @return the request, inactive
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Recv_init", "MPI_Recv_init_c"})
  default <A> Persistent recvInit(A data, int source, int tag) {
    return ((Comm) this).recvInit(ArrayBufs.of(this, data), source, tag);
  }

  /**
   * Starts to send one whole array and to receive another ({@code MPI_Isendrecv}, MPI-4.1 §3.10), as {@link
   * Comm#isendrecv(Buf, int, int, Buf, int, int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param send all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv takes the elements of a message that is no longer; another array
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @return one request for both
   * @throws MpiException ERR_BUFFER when an array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Isendrecv", "MPI_Isendrecv_c"})
  default <A> Request isendrecv(A send, int dest, int sendTag, A recv, int source, int recvTag) {
    return ((Comm) this).isendrecv(
        ArrayBufs.of(this, send), dest, sendTag, ArrayBufs.of(this, recv), source, recvTag);
  }

  /**
   * Starts to send the root's array to all ranks ({@code MPI_Ibcast}, MPI-4.1 §6.12.2), as {@link Comm#ibcast(Buf,
   * int)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data at the root what to send, at the others where it goes; as long everywhere
   * @param root rank of the root, the same everywhere
   * @return the request
   * @throws MpiException ERR_ROOT, ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Ibcast", "MPI_Ibcast_c"})
  default <A> Request ibcast(A data, int root) {
    return ((Comm) this).ibcast(ArrayBufs.of(this, data), root);
  }

  /**
   * Prepares a broadcast of a whole array ({@code MPI_Bcast_init}, MPI-4.1 §6.13.2), as {@link Comm#bcastInit(Buf, int,
   * Info)} does without hints.
   *
   * @param <A> an array of primitives, or a segment
   * @param data at the root what to send, at the others where it goes; as long everywhere
   * @param root rank of the root, the same everywhere
   * @return the request, inactive
   * @throws MpiException ERR_ROOT, ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Bcast_init", "MPI_Bcast_init_c"})
  default <A> Persistent bcastInit(A data, int root) {
    return ((Comm) this).bcastInit(ArrayBufs.of(this, data), root, null);
  }
}
