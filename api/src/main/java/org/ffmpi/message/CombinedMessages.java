// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.HeldMemory;
import org.ffmpi.buffer.PackedCopy;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.request.AbandonedRequests;
import org.ffmpi.request.ReceivedFromNobody;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** Sends and receives in one call. */
public final class CombinedMessages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final Messages messages;
  private final World world;
  private final Channel channel;
  private final Engine engine;
  private final long context;

  public CombinedMessages(CommState state, EnvelopeChecks checks, Messages messages) {
    this.state = state;
    this.checks = checks;
    this.messages = messages;
    this.world = state.world;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = state.channel.pointToPoint();
  }

  public void sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag) {
    exchange(send, dest, sendTag, recv, source, recvTag, null);
  }

  public Status sendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    return exchange(send, dest, sendTag, recv, source, recvTag, into);
  }

  /** The status is null when the caller ignores it. */
  private Status exchange(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag, Status into) {
    boolean toNobody = checks.isSendToNobody(send, dest, sendTag); // checked before anything is started
    if (!toNobody && !checks.isReceiveFromNobody(recv, source, recvTag)) {
      checkApart(send, recv);
    }
    if (toNobody || leavesAtOnce(send, dest, sendTag)) {
      return receive(recv, source, recvTag, into);
    }
    return sendWhileReceiving(
        () -> sendChecked(send, dest, sendTag),
        messages.irecvOnce(recv, source, recvTag), into);
  }

  public Request isendrecv(Buf<?> send, int dest, int sendTag, Buf<?> recv, int source, int recvTag) {
    boolean toNobody = checks.isSendToNobody(send, dest, sendTag);
    boolean fromNobody = checks.isReceiveFromNobody(recv, source, recvTag);
    if (!toNobody && !fromNobody) {
      checkApart(send, recv);
    }
    return bothOf(fromNobody, recv, source, recvTag, () -> toNobody
        ? engine.completed()
        : messages.startSend(Engine.STANDARD, BufImpl.of(send), dest, sendTag));
  }

  // ---- in one buffer

  public void sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag) {
    replace(buf, dest, sendTag, source, recvTag, null);
  }

  public Status sendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    return replace(buf, dest, sendTag, source, recvTag, into);
  }

  private Status replace(Buf<?> buf, int dest, int sendTag, int source, int recvTag, Status into) {
    boolean toNobody = checks.isSendToNobody(buf, dest, sendTag);
    if (checks.isReceiveFromNobody(buf, source, recvTag)) {
      messages.send(buf, dest, sendTag);
      return into == null ? null : StatusAccess.setNobody(into);
    }
    if (toNobody || leavesAtOnce(buf, dest, sendTag)) {
      return receive(buf, source, recvTag, into);
    }
    PackedCopy copy = copyOf(buf);
    return sendWhileReceiving(
        () -> copy.send(engine, channel.peer(dest), context, sendTag), messages.irecvOnce(buf, source, recvTag), into);
  }

  public Request isendrecvReplace(Buf<?> buf, int dest, int sendTag, int source, int recvTag) {
    boolean toNobody = checks.isSendToNobody(buf, dest, sendTag);
    boolean fromNobody = checks.isReceiveFromNobody(buf, source, recvTag);
    if (toNobody || leavesAtOnce(buf, dest, sendTag)) {
      return bothOf(fromNobody, buf, source, recvTag, engine::completed);
    }
    PackedCopy copy = copyOf(buf);
    return bothOf(fromNobody, buf, source, recvTag, () -> copy.isend(engine, channel.peer(dest), context, sendTag));
  }

  // ---- parts

  private Status receive(Buf<?> buf, int source, int tag, Status into) {
    if (into != null) {
      return messages.recv(buf, source, tag, into);
    }
    messages.recv(buf, source, tag);
    return null;
  }

  private void checkApart(Buf<?> send, Buf<?> recv) {
    if (BufImpl.of(send).overlaps(recv)) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_BUFFER, "recv", recv, "memory that does not overlap " + send));
    }
  }

  /** Sends a message if it can leave without a trace of its buffer. Returns false when nothing has been sent. */
  private boolean leavesAtOnce(Buf<?> buf, int dest, int tag) {
    if (BufImpl.of(buf).isCounted()) {
      return false; // counted memory, which other paths hold
    }
    try {
      return engine.trySend(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset(), buf.count(), BufImpl.of(buf).plan(),
          channel.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Sends and blocks until the buffer may be used again. */
  private void sendChecked(Buf<?> buf, int dest, int tag) {
    if (!BufImpl.of(buf).isCounted()) {
      engine.send(Engine.STANDARD, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset(), buf.count(), BufImpl.of(buf).plan(),
          channel.peer(dest), context, tag);
      return;
    }
    Operation operation = messages.startSend(Engine.STANDARD, BufImpl.of(buf), dest, tag);
    engine.await(operation);
    if (operation.error() != null) {
      throw operation.error();
    }
  }

  private PackedCopy copyOf(Buf<?> buf) {
    try (HeldMemory _ = BufUses.reading(buf).hold()) {
      return PackedCopy.of(buf, BufImpl.of(buf).plan(), world.isChecking());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Sends, and completes a receive that has been started; cancels the receive when sending fails. */
  private Status sendWhileReceiving(Runnable send, Request incoming, Status into) {
    try {
      send.run();
    } catch (RuntimeException e) {
      MpiException error = Failures.translate(e);
      MpiException stuck = AbandonedRequests.abandon(world, List.of(incoming));
      if (stuck != null) {
        error.addSuppressed(stuck);
      }
      throw state.raise(error);
    }
    if (into != null) {
      return incoming.await(into);
    }
    incoming.await();
    return null;
  }

  /** Starts both and makes one request of them; cancels the receive when the send cannot be started. */
  private Request bothOf(boolean fromNobody, Buf<?> buf, int source, int tag, Supplier<Operation> start) {
    try {
      Operation receive = fromNobody
          ? ReceivedFromNobody.INSTANCE
          : messages.startRecvOnce(BufImpl.of(buf), source, tag);
      Operation send;
      try {
        send = start.get();
      } catch (RuntimeException e) {
        receive.cancel();
        throw e;
      }
      return new RequestImpl(
          state, RequestKind.SEND, send == engine.completed() ? receive : SendReceive.of(send, receive));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
