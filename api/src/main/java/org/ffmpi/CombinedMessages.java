// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** The calls of {@link Comm} that send and receive in one. */
abstract sealed class CombinedMessages extends ProbedMessages permits BufferedMessages {
  CombinedMessages(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

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
   * @throws MpiException as {@link #send(Buf, int, int)} and {@link #recv(Buf, int, int)}
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  public void sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag) {
    exchange(send, dest, sendTag, recv, source, recvTag, null);
  }

  /**
   * Sends one message and receives another, blocking until both are done, and tells what came ({@code MPI_Sendrecv},
   * MPI-4.1 §3.10).
   *
   * @param send elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param recv elements to fill; no byte of it may belong to {@code send}
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message received
   * @return {@code into}
   * @throws MpiException as {@link #send(Buf, int, int)} and {@link #recv(Buf, int, int)}; ERR_BUFFER when the buffers
   *     overlap, ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  public Status sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    return exchange(send, dest, sendTag, recv, source, recvTag, into);
  }

  /** The status is null when nobody asks for it. */
  private Status exchange(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into) {
    boolean toNobody = isSendToNobody(send, dest, sendTag); // checked before anything is started
    if (!toNobody && !isReceiveFromNobody(recv, source, recvTag)) {
      checkApart(send, recv);
    }
    if (toNobody || leavesAtOnce(send, dest, sendTag)) {
      return receive(recv, source, recvTag, into);
    }
    return sendWhileReceiving(
        () -> sendChecked(send, dest, sendTag),
        irecv(recv, source, recvTag), into);
  }

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
  public Request isendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag) {
    boolean toNobody = isSendToNobody(send, dest, sendTag);
    boolean fromNobody = isReceiveFromNobody(recv, source, recvTag);
    if (!toNobody && !fromNobody) {
      checkApart(send, recv);
    }
    return bothOf(fromNobody, recv, source, recvTag, () -> toNobody
        ? engine.completed()
        : startSend(Engine.STANDARD, send, dest, sendTag));
  }

  // ---- in one buffer

  /**
   * Sends the elements of a buffer and replaces them by those of another message, blocking until both are done
   * ({@code MPI_Sendrecv_replace}, MPI-4.1 §3.10). Whatever does not leave at once is packed into memory of the
   * library's own first.
   *
   * @param buf elements to send, replaced by those received; gaps in the type are left as they are
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message sent, not negative
   * @param source rank of the sender, {@code ANY_SOURCE}, or {@code PROC_NULL}, with which the elements stay
   * @param recvTag tag of the message received, or {@code ANY_TAG}
   * @throws MpiException as {@link #send(Buf, int, int)} and {@link #recv(Buf, int, int)}; ERR_NO_MEM when there is no
   *     memory for a copy
   */
  @Standard({"MPI_Sendrecv_replace", "MPI_Sendrecv_replace_c"})
  public void sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag) {
    replace(buf, dest, sendTag, source, recvTag, null);
  }

  /**
   * Sends the elements of a buffer and replaces them by those of another message, blocking until both are done, and
   * tells what came ({@code MPI_Sendrecv_replace}, MPI-4.1 §3.10).
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
  public Status sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    return replace(buf, dest, sendTag, source, recvTag, into);
  }

  private Status replace(Buf<?> buf, int dest, int sendTag, int source, int recvTag, Status into) {
    boolean toNobody = isSendToNobody(buf, dest, sendTag);
    if (isReceiveFromNobody(buf, source, recvTag)) {
      send(buf, dest, sendTag);
      return into == null ? null : into.setNobody();
    }
    if (toNobody || leavesAtOnce(buf, dest, sendTag)) {
      return receive(buf, source, recvTag, into);
    }
    PackedCopy copy = copyOf(buf);
    return sendWhileReceiving(
        () -> copy.send(engine, channel.peer(dest), context, sendTag), irecv(buf, source, recvTag), into);
  }

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
  public Request isendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag) {
    boolean toNobody = isSendToNobody(buf, dest, sendTag);
    boolean fromNobody = isReceiveFromNobody(buf, source, recvTag);
    if (toNobody || leavesAtOnce(buf, dest, sendTag)) {
      return bothOf(fromNobody, buf, source, recvTag, engine::completed);
    }
    PackedCopy copy = copyOf(buf);
    return bothOf(fromNobody, buf, source, recvTag, () -> copy.isend(engine, channel.peer(dest), context, sendTag));
  }

  // ---- parts

  private Status receive(Buf<?> buf, int source, int tag, Status into) {
    if (into != null) {
      return recv(buf, source, tag, into);
    }
    recv(buf, source, tag);
    return null;
  }

  private void checkApart(Buf<?> send, Buf<?> recv) {
    if (send.overlaps(recv)) {
      throw raise(MpiException.argument(ErrorClass.ERR_BUFFER, "recv", recv, "memory that does not overlap " + send));
    }
  }

  /** Tells whether a message has left without a trace of its buffer; if not, nothing has been sent. */
  private boolean leavesAtOnce(Buf<?> buf, int dest, int tag) {
    if (buf.isCounted()) {
      return false; // has to be held, which other ways do
    }
    try {
      return engine.trySend(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          channel.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Sends and blocks until the buffer may be used again. */
  private void sendChecked(Buf<?> buf, int dest, int tag) {
    if (!buf.isCounted()) {
      engine.send(Engine.STANDARD, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          channel.peer(dest), context, tag);
      return;
    }
    Operation operation = startSend(Engine.STANDARD, buf, dest, tag);
    engine.await(operation);
    if (operation.error() != null) {
      throw operation.error();
    }
  }

  private PackedCopy copyOf(Buf<?> buf) {
    try (CountedMemory.Lease _ = buf.lease()) {
      return PackedCopy.of(buf, buf.plan(), world.isChecking());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Sends, and completes a receive that has been started; takes the receive back when sending fails. */
  private Status sendWhileReceiving(Runnable send, Request incoming, Status into) {
    try {
      send.run();
    } catch (RuntimeException e) {
      MpiException error = Failures.translate(e);
      MpiException stuck = RequestLists.abandon(world, List.of(incoming));
      if (stuck != null) {
        error.addSuppressed(stuck);
      }
      throw raise(error);
    }
    if (into != null) {
      return incoming.await(into);
    }
    incoming.await();
    return null;
  }

  /** Starts both and makes one request of them; takes the receive back when the send cannot be started. */
  private Request bothOf(boolean fromNobody, Buf<?> buf, int source, int tag, Supplier<Operation> start) {
    try {
      Operation receive = fromNobody
          ? ReceivedFromNobody.INSTANCE
          : startRecv(buf, source, tag);
      Operation send;
      try {
        send = start.get();
      } catch (RuntimeException e) {
        receive.cancel();
        throw e;
      }
      return new Request(
          state, Request.Kind.SEND, send == engine.completed() ? receive : SendReceive.of(send, receive));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }
}
