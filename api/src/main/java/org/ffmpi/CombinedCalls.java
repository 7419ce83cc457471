// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link Comm} that send and receive in one. */
public sealed interface CombinedCalls permits Comm {
  /**
   * Sends one message and receives another, blocking until both are done ({@code MPI_Sendrecv}, MPI-4.1 §3.10). Cannot
   * deadlock when all ranks of a chain or ring call it. Allocates nothing when the message sent is short.
   *
   * @param send elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill; no byte of it may belong to {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @throws MpiException as {@link Comm#send(Buf, int, int)} and {@link Comm#recv(Buf, int, int)}
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  void sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag);

  /**
   * Sends one message and receives another, blocking until both are done, and describes what came
   * ({@code MPI_Sendrecv}, MPI-4.1 §3.10).
   *
   * @param send elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill; no byte of it may belong to {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message received
   * @return {@code into}
   * @throws MpiException as {@link Comm#send(Buf, int, int)} and {@link Comm#recv(Buf, int, int)}; ERR_BUFFER when the
   *     buffers overlap, ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  Status sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into);

  /**
   * Starts to send one message and to receive another, and returns at once ({@code MPI_Isendrecv}, MPI-4.1 §3.10).
   *
   * @param send elements to send; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill, not to be touched until the request is complete; no byte of it may belong to
   *     {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @return one request for both, complete when both are. Its status is that of the receive; it fails with the error of
   *     either. When it is cancelled, each part that was not matched is, and its status says so if one was
   * @throws MpiException as {@link #sendrecv(Buf, int, int, Buf, int, int, Status)}; nothing has been started then
   */
  @Standard({"MPI_Isendrecv", "MPI_Isendrecv_c"})
  Request isendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag);

  // ---- in one buffer

  /**
   * Sends the elements of a buffer and replaces them by those of another message, blocking until both are done ({@code
   * MPI_Sendrecv_replace}, MPI-4.1 §3.10). Data that do not leave at once are packed into memory of the library's own
   * first.
   *
   * @param buf elements to send, replaced by those received; gaps in the type are left as they are
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the elements stay
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @throws MpiException as {@link Comm#send(Buf, int, int)} and {@link Comm#recv(Buf, int, int)}; ERR_NO_MEM when
   *     there is no memory for a copy
   */
  @Standard({"MPI_Sendrecv_replace", "MPI_Sendrecv_replace_c"})
  void sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag);

  /**
   * Sends the elements of a buffer and replaces them by those of another message, blocking until both are done, and
   * describes what came ({@code MPI_Sendrecv_replace}, MPI-4.1 §3.10).
   *
   * @param buf elements to send, replaced by those received; gaps in the type are left as they are
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the elements stay
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message received
   * @return {@code into}
   * @throws MpiException as {@link #sendrecvReplace(Buf, int, int, int, int)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Sendrecv_replace", "MPI_Sendrecv_replace_c"})
  Status sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag, Status into);

  /**
   * Starts to send the elements of a buffer and to replace them by those of another message, and returns at once
   * ({@code MPI_Isendrecv_replace}, MPI-4.1 §3.10).
   *
   * @param buf elements to send, replaced by those received; not to be touched until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the elements stay
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @return one request for both, as of {@link #isendrecv}
   * @throws MpiException as {@link #sendrecvReplace(Buf, int, int, int, int)}; nothing has been started then
   */
  @Standard({"MPI_Isendrecv_replace", "MPI_Isendrecv_replace_c"})
  Request isendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag);

  // ---- parts
}
