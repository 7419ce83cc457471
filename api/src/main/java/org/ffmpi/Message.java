// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.ArrayBufs;
import org.ffmpi.message.MessageImpl;

/**
 * A message that a matched probe has found and reserved for the caller ({@code MPI_Message}, MPI-4.1 §3.8.2): no
 * receive and no other probe can get it any more.
 *
 * {@snippet :
 * Message message = world.mprobe(Constants.ANY_SOURCE, 7);
 * double[] data = new double[(int) message.status().getCount(Datatype.DOUBLE)];
 * message.mrecv(data);
 * }
 *
 * <p>With plain probes another thread may take the message between the probe and the receive; with these, each message
 * goes to exactly one. It has to be received, once: the sender may wait for that. Any thread may do it.
 */
@Standard({"MPI_Message"})
public sealed interface Message permits MessageImpl {
  /**
   * Returns what the probe learned of the message. Local.
   *
   * @return a new status with source, tag and length
   */
  Status status();

  /**
   * Returns whether this is the message that a probe of {@code PROC_NULL} returns ({@code MPI_MESSAGE_NO_PROC}, MPI-4.1
   * §3.8.2), which can be received any number of times and changes no buffer. Local.
   *
   * @return true for a message from {@code PROC_NULL}
   */
  @Standard({"MPI_MESSAGE_NO_PROC"})
  boolean isNoProc();

  /**
   * Returns whether the message has been received, or begun to be, so that this object stands for nothing any more
   * ({@code MPI_MESSAGE_NULL}, MPI-4.1 §3.8.2). Local.
   *
   * @return true after {@link #mrecv} or {@link #imrecv}; never for {@linkplain #isNoProc a message from PROC_NULL}
   */
  @Standard({"MPI_MESSAGE_NULL"})
  boolean isConsumed();

  /**
   * Receives the message and blocks until it is there ({@code MPI_Mrecv} without a status, MPI-4.1 §3.8.3).
   *
   * @param buf elements to fill, as many as there are in the message; the rest of the buffer is left as it is
   * @throws MpiException as {@link Comm#recv(Buf, int, int)}; ERR_REQUEST when the message has been received already.
   *     After ERR_TRUNCATE it has been received; after an error of the arguments it can still be
   */
  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  void mrecv(Buf<?> buf);

  /**
   * Receives the message, blocks until it is there, and returns its status ({@code MPI_Mrecv}, MPI-4.1 §3.8.3).
   *
   * @param buf elements to fill, as {@link #mrecv(Buf)}
   * @param into filled with source, tag and length, also when the call fails with ERR_TRUNCATE
   * @return {@code into}
   * @throws MpiException as {@link #mrecv(Buf)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  Status mrecv(Buf<?> buf, Status into);

  /**
   * Receives the message into a whole array, as {@link #mrecv(Buf)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data takes the elements; at least as long as the message
   * @throws MpiException as {@link #mrecv(Buf)}
   */
  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  default <A> void mrecv(A data) {
    mrecv(ArrayBufs.of(((MessageImpl) this).communicator(), data));
  }

  /**
   * Starts to receive the message into a whole array, as {@link #imrecv(Buf)} does.
   *
   * @param <A> an array of primitives, or a segment
   * @param data takes the elements; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #mrecv(Buf)}
   */
  @Standard({"MPI_Imrecv", "MPI_Imrecv_c"})
  default <A> Request imrecv(A data) {
    return imrecv(ArrayBufs.of(((MessageImpl) this).communicator(), data));
  }

  /**
   * Starts to receive the message and returns at once ({@code MPI_Imrecv}, MPI-4.1 §3.8.3).
   *
   * @param buf elements to fill, as {@link #mrecv(Buf)}; not to be touched until the request is complete
   * @return the request, whose completion fails with ERR_TRUNCATE when the message is longer than the buffer. It cannot
   *     be cancelled, since the message has been matched
   * @throws MpiException ERR_REQUEST when the message has been received already, ERR_BUFFER when the buffer is null, in
   *     place, read-only or may not be touched, ERR_TYPE when its type is not committed, ERR_OTHER after finalize
   */
  @Standard({"MPI_Imrecv", "MPI_Imrecv_c"})
  Request imrecv(Buf<?> buf);

  /**
   * Receives the message as an object, as {@link Comm#recvObject(int, int)}.
   *
   * @param <T> type of the value
   * @return the value; null from {@code PROC_NULL}
   * @throws MpiException as {@link #mrecv(Buf)} and {@link Comm#recvObject(int, int)}
   */
  default <T> T mrecvObject() {
    return mrecvObject(Codec.objects());
  }

  /**
   * Receives the message as an object with a codec, as {@link Comm#recvObject(int, int, Codec)}.
   *
   * @param <T> type of the value
   * @param codec reads the value
   * @return the value; null from {@code PROC_NULL}
   * @throws MpiException as {@link #mrecv(Buf)} and {@link Comm#recvObject(int, int)}
   */
  <T> T mrecvObject(Codec<T> codec);

  /**
   * Describes the message.
   *
   * @return source, tag, bytes, and whether it has been received
   */
  @Override
  String toString();
}
