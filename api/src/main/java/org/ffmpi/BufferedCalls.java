// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/** The calls of {@link Comm} in buffered mode, and those on the communicator's own buffer. */
public sealed interface BufferedCalls permits Comm {
  /**
   * Sends in buffered mode and returns at once, whether or not a receive has been posted ({@code MPI_Bsend}, MPI-4.1
   * §3.4): what cannot leave is kept in the buffer that the program has attached to this communicator with
   * {@link #attachBuffer}, or if there is none, to its session with {@link Session#attachBuffer}, or if there is none,
   * to the process with {@link Mpi#bufferAttach}.
   *
   * @param buf elements to send; may be changed when the call returns
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which nothing happens
   * @param tag tag of the message, not negative
   * @throws MpiException as {@link Comm#send(Buf, int, int)}; ERR_BUFFER also when no buffer is attached, when the
   *     message and {@code BSEND_OVERHEAD} do not fit into it, or when it is full of messages that have not left:
   *     nothing has been sent then. ERR_NO_MEM when automatic buffering finds no memory
   */
  @Standard({"MPI_Bsend", "MPI_Bsend_c"})
  void bsend(Buf<?> buf, int dest, int tag);

  /**
   * Sends in buffered mode and returns at once, as {@link #bsend} ({@code MPI_Ibsend}, MPI-4.1 §3.7.2).
   *
   * @param buf elements to send; not to be changed until the request is complete, which it is when the call returns
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which nothing happens
   * @param tag tag of the message, not negative
   * @return a request that is complete
   * @throws MpiException as {@link #bsend}
   */
  @Standard({"MPI_Ibsend", "MPI_Ibsend_c"})
  Request ibsend(Buf<?> buf, int dest, int tag);

  // ---- this communicator's buffer

  /**
   * Gives this communicator a buffer of its own for buffered mode, which is then used instead of the process's
   * ({@code MPI_Comm_attach_buffer}, MPI-4.1 §3.6). Local. Its size has to allow for all messages that are to be in it
   * at a time: the bytes of each as {@link Packer#size} returns them, and {@code BSEND_OVERHEAD} each.
   *
   * @param buf what {@link Mpi#bufferAttach} takes; not to be touched until it is detached
   * @throws MpiException as {@link Mpi#bufferAttach}
   */
  @Standard({"MPI_Comm_attach_buffer", "MPI_Comm_attach_buffer_c"})
  void attachBuffer(Buf<?> buf);

  /**
   * Detaches this communicator's buffer ({@code MPI_Comm_detach_buffer}, MPI-4.1 §3.6). Blocks until all messages in it
   * have left.
   *
   * @return the buffer that was attached
   * @throws MpiException as {@link Mpi#bufferDetach}
   */
  @Standard({"MPI_Comm_detach_buffer", "MPI_Comm_detach_buffer_c"})
  Buf<?> detachBuffer();

  /**
   * Blocks until all messages in this communicator's buffer have left ({@code MPI_Comm_flush_buffer}, MPI-4.1 §3.6).
   * Without a buffer there is nothing to do.
   *
   * @throws MpiException as {@link Mpi#bufferFlush}
   */
  @Standard({"MPI_Comm_flush_buffer"})
  void flushBuffer();

  /**
   * Returns a request for the moment when all messages have left that are in this communicator's buffer now
   * ({@code MPI_Comm_iflush_buffer}, MPI-4.1 §3.6). Does not block.
   *
   * @return the request; it cannot be cancelled
   * @throws MpiException as {@link Mpi#bufferIflush}
   */
  @Standard({"MPI_Comm_iflush_buffer"})
  Request iflushBuffer();
}
