// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.communicator.CommState;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * A message that a matched probe has found and set apart for the caller ({@code MPI_Message}, MPI-4.1 §3.8.2): no
 * receive and no other probe can get it any more.
 *
 * {@snippet :
 * Message message = world.mprobe(Constants.ANY_SOURCE, 7);
 * double[] data = new double[(int) message.status().getCount(Datatype.DOUBLE)];
 * message.mrecv(Buf.of(data));
 * }
 *
 * <p>With plain probes another thread may take the message between the probe and the receive; with these, each message
 * goes to exactly one. It has to be received, once: the sender may wait for that. Any thread may do it.
 */
@Standard({"MPI_Message"})
public final class Message {
  private final CommState comm;
  private final int source;
  private final int tag;
  private final long bytes;
  private final boolean noProc;
  /** Null once the message has been received. */
  private final AtomicReference<Matched> matched;

  private Message(CommState comm, Matched matched, Status found, boolean noProc) {
    this.comm = comm;
    this.matched = new AtomicReference<>(matched);
    this.source = found.source();
    this.tag = found.tag();
    this.bytes = found.bytes();
    this.noProc = noProc;
  }

  /** Returns the message that an engine has set apart; the status tells of it. */
  static Message of(CommState comm, Matched matched, Status found) {
    return new Message(comm, matched, found, false);
  }

  /** Returns what a probe of {@code PROC_NULL} finds. */
  static Message fromNobody(CommState comm) {
    return new Message(comm, null, new Status().setNobody(), true);
  }

  /** Returns the communicator that it was found on. */
  Comm communicator() {
    return comm.comm();
  }

  /**
   * Returns what the probe learned of the message. Local.
   *
   * @return a new status with source, tag and length
   */
  public Status status() {
    return new Status().set(source, tag, bytes, false, ErrorClass.SUCCESS);
  }

  /**
   * Tells whether this is what a probe of {@code PROC_NULL} finds ({@code MPI_MESSAGE_NO_PROC}, MPI-4.1 §3.8.2), which
   * can be received any number of times and changes no buffer. Local.
   *
   * @return true for a message from nobody
   */
  @Standard({"MPI_MESSAGE_NO_PROC"})
  public boolean isNoProc() {
    return noProc;
  }

  /**
   * Tells whether the message has been received, or begun to be, so that this object stands for nothing any more
   * ({@code MPI_MESSAGE_NULL}, MPI-4.1 §3.8.2). Local.
   *
   * @return true after {@link #mrecv} or {@link #imrecv}; never for {@linkplain #isNoProc a message from nobody}
   */
  @Standard({"MPI_MESSAGE_NULL"})
  public boolean isConsumed() {
    return !noProc && matched.get() == null;
  }

  /**
   * Receives the message and blocks until it is there ({@code MPI_Mrecv} without a status, MPI-4.1 §3.8.3).
   *
   * @param buf elements to fill, as many as there are in the message; the rest of the buffer is left as it is
   * @throws MpiException as {@link Comm#recv(Buf, int, int)}; ERR_REQUEST when the message has been received already.
   *     After ERR_TRUNCATE it has been received; after an error of the arguments it can still be
   */
  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  public void mrecv(Buf<?> buf) {
    imrecv(buf).await();
  }

  /**
   * Receives the message, blocks until it is there, and tells what came ({@code MPI_Mrecv}, MPI-4.1 §3.8.3).
   *
   * @param buf elements to fill, as {@link #mrecv(Buf)}
   * @param into filled with source, tag and length, also when the call fails with ERR_TRUNCATE
   * @return {@code into}
   * @throws MpiException as {@link #mrecv(Buf)}; ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Mrecv", "MPI_Mrecv_c"})
  public Status mrecv(Buf<?> buf, Status into) {
    if (into == null) {
      throw comm.noStatus();
    }
    return imrecv(buf).await(into);
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
  public Request imrecv(Buf<?> buf) {
    comm.checkCommunication();
    comm.checkMemory(buf, true);
    if (noProc) {
      return RequestImpl.fromNobody(comm);
    }
    Matched taken = matched.getAndSet(null);
    if (taken == null) {
      throw comm.raise(new MpiException(
          ErrorClass.ERR_REQUEST, "message: has been received already, each can be received once"));
    }
    try {
      Operation operation = HeldOperation.start(
          comm.world,
          () -> comm.engine.imrecv(
              taken, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan()),
          buf);
      return new RequestImpl(comm, RequestKind.RECEIVE, operation);
    } catch (RuntimeException e) {
      matched.set(taken); // nothing of it has been taken
      throw comm.failed(e);
    }
  }

  /**
   * Describes the message.
   *
   * @return source, tag, bytes, and whether it has been received
   */
  @Override
  public String toString() {
    if (noProc) {
      return "Message[from PROC_NULL]";
    }
    return "Message[source=" + source + ", tag=" + tag + ", bytes=" + bytes + (isConsumed() ? ", received]" : "]");
  }
}
