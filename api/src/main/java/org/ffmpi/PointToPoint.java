// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The point-to-point calls of {@link Comm}. Each one tests its arguments in a single condition, small enough to be
 * inlined into the caller; what to say about a wrong one, and the rare cases such as {@code PROC_NULL}, are found out
 * of line.
 */
abstract sealed class PointToPoint extends ArrayMessages permits ProbedMessages {
  final CommState state;
  final World world;
  final Channel channel;
  final Engine engine;
  final long context;

  /**
   * How many ranks there are to send to: 0 once the communicator has been closed, so that the one condition of the hot
   * calls finds that out, too.
   */
  private int size;

  PointToPoint(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    this.state = new CommState((Comm) this, world, channel, errhandler);
    this.world = world;
    this.channel = channel;
    this.engine = channel.engine();
    this.context = channel.pointToPoint();
    this.size = channel.remote().size();
  }

  final MpiException raise(MpiException error) {
    return state.raise(error);
  }

  final void checkOpen() {
    state.checkOpen();
  }

  final void checkCommunication() {
    state.checkCommunication();
  }

  final boolean isClosed() {
    return state.isClosed();
  }

  /** Ends the use of this communicator in calls; what has been started goes on. */
  final void markClosed() {
    state.close();
    size = 0;
  }

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
  public void send(Buf<?> buf, int dest, int tag) {
    send(Engine.STANDARD, buf, dest, tag);
  }

  /**
   * Sends and blocks until the receiver has matched the message ({@code MPI_Ssend}, MPI-4.1 §3.4). Allocates nothing.
   *
   * @param buf elements to send
   * @param dest rank of the receiver, or {@code PROC_NULL}, with which the call returns at once
   * @param tag tag of the message, not negative
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Ssend", "MPI_Ssend_c"})
  public void ssend(Buf<?> buf, int dest, int tag) {
    send(Engine.SYNCHRONOUS, buf, dest, tag);
  }

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
  public void rsend(Buf<?> buf, int dest, int tag) {
    send(Engine.READY, buf, dest, tag);
  }

  private void send(int mode, Buf<?> buf, int dest, int tag) {
    if ((buf == null || !buf.isSendable() || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && isSentOutOfLine(mode, buf, dest, tag)) {
      return;
    }
    try {
      engine.send(mode, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          channel.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  final void sendArray(int kind, Object array, long length, Plan plan, int dest, int tag) {
    if ((array == null || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && isSendToNobody(array, dest, tag)) {
      return;
    }
    try {
      engine.send(Engine.STANDARD, kind, array, 0, length, plan, channel.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

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
  public void recv(Buf<?> buf, int source, int tag) {
    if (needsCare(buf, source, tag) && isReceivedOutOfLine(buf, source, tag)) {
      return;
    }
    try {
      engine.recv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          channel.peer(source), context, tag, null);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * Receives, blocks until the message is there, and tells what came ({@code MPI_Recv}, MPI-4.1 §3.2.4). Allocates
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
  public Status recv(Buf<?> buf, int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (needsCare(buf, source, tag) && isReceiveFromNobody(buf, source, tag)) {
      return into.setNobody();
    }
    if (buf.isCounted()) {
      return irecv(buf, source, tag).await(into);
    }
    return recv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(), source, tag, into);
  }

  @Override
  final void recvArray(int kind, Object array, long length, Plan plan, int source, int tag) {
    if (needsCare(array, source, tag) && isReceiveFromNobody(array, source, tag)) {
      return;
    }
    try {
      engine.recv(kind, array, 0, length, plan, channel.peer(source), context, tag, null);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  final Status recvArray(int kind, Object array, long length, Plan plan, int source, int tag, Status into) {
    if (into == null) {
      throw noStatus();
    }
    if (needsCare(array, source, tag) && isReceiveFromNobody(array, source, tag)) {
      return into.setNobody();
    }
    return recv(kind, array, 0, length, plan, source, tag, into);
  }

  private Status recv(
      int kind, Object owner, long offset, long count, Plan plan, int source, int tag, Status into) {
    into.envelope().clear();
    try {
      engine.recv(kind, owner, offset, count, plan, channel.peer(source), context, tag, into.envelope());
      return into.received(channel, ErrorClass.SUCCESS);
    } catch (RuntimeException e) {
      MpiException error = Failures.translate(e);
      into.received(channel, error.errorClass());
      throw raise(error);
    }
  }

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
  public Request isend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.STANDARD, buf, dest, tag);
  }

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
  public Request issend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.SYNCHRONOUS, buf, dest, tag);
  }

  /**
   * Starts to send as {@link #isend(Buf, int, int)}, on the promise that the receive has been posted
   * ({@code MPI_Irsend}, MPI-4.1 §3.7.2), and returns at once. What becomes of a broken promise is told at
   * {@link #rsend}.
   *
   * @param buf elements to send; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request; one that is shared and complete when the message has already left
   * @throws MpiException as {@link #send(Buf, int, int)}
   */
  @Standard({"MPI_Irsend", "MPI_Irsend_c"})
  public Request irsend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.READY, buf, dest, tag);
  }

  private Request isend(int mode, Buf<?> buf, int dest, int tag) {
    if ((buf == null || !buf.isSendable() || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && isSendToNobody(buf, dest, tag)) {
      return Request.toNobody(state);
    }
    try {
      return request(startSend(mode, buf, dest, tag));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  final Request isendArray(int kind, Object array, long length, Plan plan, int dest, int tag) {
    if ((array == null || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && isSendToNobody(array, dest, tag)) {
      return Request.toNobody(state);
    }
    try {
      return request(engine.isend(Engine.STANDARD, kind, array, 0, length, plan, channel.peer(dest), context, tag));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Starts a send of a buffer that has been checked, with its memory held if it has to be. */
  final Operation startSend(int mode, Buf<?> buf, int dest, int tag) {
    return buf.isCounted()
        ? HeldOperation.start(world, () -> startSendNow(mode, buf, dest, tag), buf)
        : startSendNow(mode, buf, dest, tag);
  }

  private Operation startSendNow(int mode, Buf<?> buf, int dest, int tag) {
    return engine.isend(mode, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
        channel.peer(dest), context, tag);
  }

  final Request request(Operation operation) {
    return operation == engine.completed() ? world.sent() : new Request(state, Request.Kind.SEND, operation);
  }

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
  public Request irecv(Buf<?> buf, int source, int tag) {
    if (needsCare(buf, source, tag) && isReceiveFromNobody(buf, source, tag)) {
      return Request.fromNobody(state);
    }
    try {
      return new Request(state, Request.Kind.RECEIVE, startRecv(buf, source, tag));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Starts a receive into a buffer that has been checked, with its memory held if it has to be. */
  final Operation startRecv(Buf<?> buf, int source, int tag) {
    return buf.isCounted()
        ? HeldOperation.start(world, () -> startRecvNow(buf, source, tag), buf)
        : startRecvNow(buf, source, tag);
  }

  private Operation startRecvNow(Buf<?> buf, int source, int tag) {
    return engine.irecv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
        channel.peer(source), context, tag);
  }

  @Override
  final Request irecvArray(int kind, Object array, long length, Plan plan, int source, int tag) {
    if (needsCare(array, source, tag) && isReceiveFromNobody(array, source, tag)) {
      return Request.fromNobody(state);
    }
    try {
      return new Request(state, Request.Kind.RECEIVE,
          engine.irecv(kind, array, 0, length, plan, channel.peer(source), context, tag));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  // ---- out of line

  private boolean needsCare(Buf<?> buf, int source, int tag) {
    return buf == null || !buf.isReceivable() || source < 0 || source >= size || tag < 0 || !world.isUsable();
  }

  private boolean needsCare(Object array, int source, int tag) {
    return array == null || source < 0 || source >= size || tag < 0 || !world.isUsable();
  }

  /**
   * Checks everything about a send and tells whether there is nothing left to do. Memory whose users are counted takes
   * the nonblocking way, which holds it.
   */
  private boolean isSentOutOfLine(int mode, Buf<?> buf, int dest, int tag) {
    if (isSendToNobody(buf, dest, tag)) {
      return true;
    }
    if (buf.isCounted()) {
      isend(mode, buf, dest, tag).await();
      return true;
    }
    return false;
  }

  /** Checks everything about a receive and tells whether there is nothing left to do. */
  private boolean isReceivedOutOfLine(Buf<?> buf, int source, int tag) {
    if (isReceiveFromNobody(buf, source, tag)) {
      return true;
    }
    if (buf.isCounted()) {
      irecv(buf, source, tag).await();
      return true;
    }
    return false;
  }

  /** Checks everything about a send, throws what is wrong, and tells whether there is nothing to do. */
  final boolean isSendToNobody(Object buf, int dest, int tag) {
    checkCommunication();
    checkMemory(buf, false);
    if (dest != Constants.PROC_NULL && (dest < 0 || dest >= size)) {
      throw raise(MpiException.argument(ErrorClass.ERR_RANK, "dest", dest, ranks() + " or PROC_NULL"));
    }
    if (tag < 0) {
      throw raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE));
    }
    return dest == Constants.PROC_NULL;
  }

  /** Checks everything about a receive, throws what is wrong, and tells whether there is nothing to do. */
  final boolean isReceiveFromNobody(Object buf, int source, int tag) {
    checkCommunication();
    checkMemory(buf, true);
    return isEnvelopeOfNobody(source, tag);
  }

  final boolean isEnvelopeOfNobody(int source, int tag) {
    checkCommunication();
    if (source != Constants.PROC_NULL && source != Constants.ANY_SOURCE && (source < 0 || source >= size)) {
      throw raise(
          MpiException.argument(ErrorClass.ERR_RANK, "source", source, ranks() + ", ANY_SOURCE or PROC_NULL"));
    }
    if (tag < 0 && tag != Constants.ANY_TAG) {
      throw raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE + " or ANY_TAG"));
    }
    if (world.isChecking()) {
      checkPromises(source, tag);
    }
    return source == Constants.PROC_NULL;
  }

  /** Throws when the communicator's hints promise that there are no such receives. */
  abstract void checkPromises(int source, int tag);

  final void checkMemory(Object memory, boolean receive) {
    state.checkMemory(memory, receive);
  }

  final String ranks() {
    return size == 1 ? "0" : "0.." + (size - 1);
  }

  final MpiException failed(RuntimeException e) {
    return state.failed(e);
  }

  final MpiException noStatus() {
    return state.noStatus();
  }
}
