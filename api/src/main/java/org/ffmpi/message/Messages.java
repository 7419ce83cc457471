// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.RequestsImpl;
import org.ffmpi.request.SentRequests;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.request.SurvivingReceive;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/**
 * Sends and receives. Each call tests its arguments in a single condition, small enough to be inlined into the caller.
 * Errors, and rare cases such as {@code PROC_NULL}, are handled out of line. Any thread may call, and blocking calls
 * make progress for the whole engine.
 */
public final class Messages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final World world;
  private final Channel channel;
  private final Engine engine;
  private final long context;
  private final Members remote;
  private final Operation completed;
  private final SentRequests sent;

  /**
   * Number of ranks to send to; 0 once the communicator has been closed, so that the one condition of the hot calls
   * covers that, too; always 0 in a job that outlives its dead, where each call checks more.
   */
  private int size;

  public Messages(CommState state, EnvelopeChecks checks) {
    this.state = state;
    this.checks = checks;
    this.world = state.world;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = state.channel.pointToPoint();
    this.remote = channel.remote();
    this.completed = engine.completed();
    this.sent = SentRequests.of(world);
    this.size = state.health == null ? remote.size() : 0;
  }

  /** Ends the use of the communicator in calls. Operations in flight continue. */
  public void close() {
    state.close();
    size = 0;
  }

  /** Opens a scope for nonblocking operations. */
  public Requests requests() {
    state.checkOpen();
    return new RequestsImpl(state);
  }

  // ---- blocking

  public void send(Buf<?> buf, int dest, int tag) {
    send(Engine.STANDARD, BufImpl.of(buf), dest, tag);
  }

  public void ssend(Buf<?> buf, int dest, int tag) {
    send(Engine.SYNCHRONOUS, BufImpl.of(buf), dest, tag);
  }

  public void rsend(Buf<?> buf, int dest, int tag) {
    send(Engine.READY, BufImpl.of(buf), dest, tag);
  }

  private void send(int mode, BufImpl<?> buf, int dest, int tag) {
    if ((buf == null || !buf.isSendable() || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && isSentOutOfLine(mode, buf, dest, tag)) {
      return;
    }
    try {
      engine.send(mode, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          remote.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void sendArray(int kind, Object array, long length, Plan plan, int dest, int tag) {
    if ((array == null || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && checks.isSendToNobody(array, dest, tag)) {
      return;
    }
    try {
      engine.send(Engine.STANDARD, kind, array, 0, length, plan, remote.peer(dest), context, tag);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void recv(Buf<?> buffer, int source, int tag) {
    BufImpl<?> buf = BufImpl.of(buffer);
    if (needsCare(buf, source, tag) && isReceivedOutOfLine(buf, source, tag)) {
      return;
    }
    try {
      engine.recv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
          channel.peer(source), context, tag, null);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Status recv(Buf<?> buffer, int source, int tag, Status into) {
    BufImpl<?> buf = BufImpl.of(buffer);
    if (into == null) {
      throw state.noStatus();
    }
    if (needsCare(buf, source, tag) && checks.isReceiveFromNobody(buf, source, tag)) {
      return StatusAccess.setNobody(into);
    }
    if (buf.isCounted()) {
      return irecvOnce(buf, source, tag).await(into);
    }
    return recv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(), source, tag, into);
  }

  public void recvArray(int kind, Object array, long length, Plan plan, int source, int tag) {
    if (needsCare(array, source, tag) && checks.isReceiveFromNobody(array, source, tag)) {
      return;
    }
    try {
      engine.recv(kind, array, 0, length, plan, channel.peer(source), context, tag, null);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Status recvArray(int kind, Object array, long length, Plan plan, int source, int tag, Status into) {
    if (into == null) {
      throw state.noStatus();
    }
    if (needsCare(array, source, tag) && checks.isReceiveFromNobody(array, source, tag)) {
      return StatusAccess.setNobody(into);
    }
    return recv(kind, array, 0, length, plan, source, tag, into);
  }

  private Status recv(
      int kind, Object owner, long offset, long count, Plan plan, int source, int tag, Status into) {
    StatusAccess.envelope(into).clear();
    try {
      engine.recv(kind, owner, offset, count, plan, channel.peer(source), context, tag, StatusAccess.envelope(into));
      return StatusAccess.received(into, channel);
    } catch (RuntimeException e) {
      StatusAccess.received(into, channel);
      throw state.failed(e);
    }
  }

  // ---- nonblocking

  public Request isend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.STANDARD, BufImpl.of(buf), dest, tag);
  }

  public Request issend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.SYNCHRONOUS, BufImpl.of(buf), dest, tag);
  }

  public Request irsend(Buf<?> buf, int dest, int tag) {
    return isend(Engine.READY, BufImpl.of(buf), dest, tag);
  }

  private Request isend(int mode, BufImpl<?> buf, int dest, int tag) {
    if ((buf == null || !buf.isSendable() || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && checks.isSendToNobody(buf, dest, tag)) {
      return RequestImpl.toNobody(state);
    }
    try {
      return request(startSend(mode, buf, dest, tag));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Request isendArray(int kind, Object array, long length, Plan plan, int dest, int tag) {
    if ((array == null || dest < 0 || dest >= size || tag < 0 || !world.isUsable())
        && checks.isSendToNobody(array, dest, tag)) {
      return RequestImpl.toNobody(state);
    }
    try {
      return request(engine.isend(Engine.STANDARD, kind, array, 0, length, plan, remote.peer(dest), context, tag));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Starts a send of a buffer that has been checked, with its memory held if it has to be. */
  Operation startSend(int mode, BufImpl<?> buf, int dest, int tag) {
    return buf.isCounted()
        ? HeldOperation.start(world, () -> startSendNow(mode, buf, dest, tag), BufUses.reading(buf))
        : startSendNow(mode, buf, dest, tag);
  }

  private Operation startSendNow(int mode, BufImpl<?> buf, int dest, int tag) {
    return engine.isend(mode, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
        remote.peer(dest), context, tag);
  }

  Request request(Operation operation) {
    return operation == completed ? sent.next() : new RequestImpl(state, RequestKind.SEND, operation);
  }

  public Request irecv(Buf<?> buffer, int source, int tag) {
    BufImpl<?> buf = BufImpl.of(buffer);
    if (needsCare(buf, source, tag)) {
      if (checks.isReceiveFromNobody(buf, source, tag)) {
        return RequestImpl.fromNobody(state);
      }
      if (state.health != null && source == Constants.ANY_SOURCE) {
        return watched(() -> startRecv(buf, source, tag), false);
      }
    }
    try {
      return new RequestImpl(state, RequestKind.RECEIVE, startRecv(buf, source, tag));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Starts a receive that is cancelled after a failure, for a call without a request. */
  Request irecvOnce(Buf<?> buf, int source, int tag) {
    return state.health == null || source != Constants.ANY_SOURCE
        ? irecv(buf, source, tag)
        : watched(() -> startRecv(BufImpl.of(buf), source, tag), true);
  }

  /** Starts a receive as {@link #startRecv}, for an operation that ends when it reports a failure. */
  Operation startRecvOnce(BufImpl<?> buf, int source, int tag) {
    Operation started = startRecv(buf, source, tag);
    return state.health == null || source != Constants.ANY_SOURCE
        ? started
        : SurvivingReceive.of(started, state.health, true);
  }

  /** Starts a receive into a buffer that has been checked, with its memory held if it has to be. */
  Operation startRecv(BufImpl<?> buf, int source, int tag) {
    return buf.isCounted()
        ? HeldOperation.start(world, () -> startRecvNow(buf, source, tag), BufUses.receiving(buf))
        : startRecvNow(buf, source, tag);
  }

  private Operation startRecvNow(BufImpl<?> buf, int source, int tag) {
    return engine.irecv(buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), buf.plan(),
        channel.peer(source), context, tag);
  }

  public Request irecvArray(int kind, Object array, long length, Plan plan, int source, int tag) {
    if (needsCare(array, source, tag)) {
      if (checks.isReceiveFromNobody(array, source, tag)) {
        return RequestImpl.fromNobody(state);
      }
      if (state.health != null && source == Constants.ANY_SOURCE) {
        return watched(() -> engine.irecv(kind, array, 0, length, plan, source, context, tag), false);
      }
    }
    try {
      return new RequestImpl(state, RequestKind.RECEIVE,
          engine.irecv(kind, array, 0, length, plan, channel.peer(source), context, tag));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Starts a receive of bytes into memory that the program gives when the message is matched. */
  public Request irecv(int source, int tag, LongFunction<MemorySegment> memory) {
    if (memory == null) {
      state.checkCommunication();
      throw state.raise(MpiException.argument(ErrorClass.ERR_BUFFER, "memory", null, "a function that gives memory"));
    }
    if (checks.isEnvelopeOfNobody(source, tag)) {
      return RequestImpl.fromNobody(state);
    }
    Supplier<Operation> start = () ->
        engine.irecv(memory, TypeHandle.planOf(Datatype.PACKED), channel.peer(source), context, tag);
    if (state.health != null && source == Constants.ANY_SOURCE) {
      return watched(start, false);
    }
    try {
      return new RequestImpl(state, RequestKind.RECEIVE, start.get());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- out of line

  /** Starts a receive from any source that reports failures, see {@link SurvivingReceive}. */
  private Request watched(Supplier<Operation> start, boolean once) {
    try {
      return new RequestImpl(
          state, RequestKind.RECEIVE, SurvivingReceive.of(start.get(), state.health, once));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private boolean needsCare(BufImpl<?> buf, int source, int tag) {
    return buf == null || !buf.isReceivable() || source < 0 || source >= size || tag < 0 || !world.isUsable();
  }

  private boolean needsCare(Object array, int source, int tag) {
    return array == null || source < 0 || source >= size || tag < 0 || !world.isUsable();
  }

  /**
   * Checks all arguments of a send and returns whether nothing is left to do. Counted memory takes the nonblocking
   * path, which holds it.
   */
  private boolean isSentOutOfLine(int mode, BufImpl<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return true;
    }
    if (buf.isCounted()) {
      isend(mode, buf, dest, tag).await();
      return true;
    }
    return false;
  }

  /** Checks all arguments of a receive and returns whether nothing is left to do. */
  private boolean isReceivedOutOfLine(BufImpl<?> buf, int source, int tag) {
    if (checks.isReceiveFromNobody(buf, source, tag)) {
      return true;
    }
    if (buf.isCounted()) {
      irecvOnce(buf, source, tag).await();
      return true;
    }
    return false;
  }
}
