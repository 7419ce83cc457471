// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.ref.Reference;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Starts sends. The mirror of {@link Receiving}:
 *
 * <table>
 *   <caption>A message's way</caption>
 *   <tr><th>step</th><th>sender</th><th>receiver</th></tr>
 *   <tr><td>start</td><td>{@link Sending}</td><td>{@link Receiving}</td></tr>
 *   <tr><td>envelope</td><td>{@link Outbound}</td><td>{@link Inbound}, {@link Delivery}</td></tr>
 *   <tr><td>transfer</td><td>{@link RendezvousSender}</td><td>{@link RendezvousReceiver}</td></tr>
 *   <tr><td>complete</td><td>{@link SendOp#finish()}</td><td>{@link RecvOp#finish()}</td></tr>
 * </table>
 *
 * <p>{@link #send} is the whole way of a small message, into the ring under the lock of the way to that peer, without a
 * new object. Other messages become a {@link SendOp}, which polling progresses. Any thread; starts never wait.
 */
public final class Sending {
  private final Endpoint endpoint;
  private final ProtocolSelector selector;

  /** Longest message that goes the shortest way from any buffer; -1: none. */
  private final int inlineLimit;

  private final OutboundRings outbound;
  private final SelfMessages selfMessages;
  private final SendBuffers buffers;
  private final PackedCopies copies = new PackedCopies();
  private final SendControl control;
  private final Departures departures;

  /** Set where a broken channel ends its sends, so that receivers have to claim each message first. */
  private final boolean survives;

  private final Waiting waiting;

  /**
   * Creates the sending half of a rank.
   *
   * @param endpoint the rank's end of the segment
   * @param outbound the ways to its peers
   * @param selfMessages its messages to itself
   * @param buffers the places of buffers
   * @param control cancels and advances started sends
   * @param departures the departed peers
   * @param waiting its waits
   */
  public Sending(
      Endpoint endpoint, OutboundRings outbound, SelfMessages selfMessages, SendBuffers buffers, SendControl control,
      Departures departures, Waiting waiting) {
    this.endpoint = endpoint;
    this.selector = endpoint.options().selector();
    this.inlineLimit = selector.shortest();
    this.outbound = outbound;
    this.selfMessages = selfMessages;
    this.buffers = buffers;
    this.control = control;
    this.departures = departures;
    this.survives = endpoint.segment().survives();
    this.waiting = waiting;
  }

  /**
   * Sends and blocks until the buffer may be used again; arguments as {@link Engine#send}.
   *
   * @param mode mode of the send
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements
   * @param plan plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   */
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (bytes <= inlineLimit && (mode & ~Engine.READY) == 0
        ? outbound.to(peer).sendInline(kind, owner, offset, count, plan, (int) bytes, context, tag)
        : sendsWhole(mode, kind, owner, offset, count, plan, bytes, peer, context, tag)) {
      return;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, false);
    if (op != null) {
      waiting.awaitOwn(op);
      MpiException error = op.error();
      if (error != null) {
        throw error;
      }
      outbound.to(peer).releaseSpare(op);
    }
  }

  /**
   * Starts a send; arguments as {@link Engine#isend}.
   *
   * @param mode mode of the send
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements
   * @param plan plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   * @return the operation
   */
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    Outbound o = outbound.to(peer);
    if (o.sendsAtOnce()
        && (bytes <= inlineLimit && (mode & ~Engine.READY) == 0
            ? o.sendInline(kind, owner, offset, count, plan, (int) bytes, context, tag)
            : sendsWhole(mode, kind, owner, offset, count, plan, bytes, peer, context, tag))) {
      return CompletedOperation.INSTANCE;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, true);
    return op == null ? CompletedOperation.INSTANCE : op;
  }

  /**
   * Sends if that neither waits nor needs the buffer afterwards; arguments as {@link Engine#trySend}.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements
   * @param plan plan of the element type
   * @param peer destination
   * @param context matching context
   * @param tag message tag
   * @return false when the message was not sent
   */
  public boolean trySend(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (peer == endpoint.self()) {
      return selector.buffersSelf(bytes)
          && startSelf(Engine.STANDARD, kind, owner, offset, count, plan, bytes, context, tag) == null;
    }
    return bytes <= inlineLimit
        ? outbound.to(peer).sendInline(kind, owner, offset, count, plan, (int) bytes, context, tag)
        : selector.isOneRecord(bytes) && pushWhole(kind, owner, offset, count, plan, bytes, peer, context, tag);
  }

  /**
   * Returns the protocol that a message would have now; arguments as {@link Engine#protocol}.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements
   * @param plan plan of the element type
   * @param peer destination
   * @return its name in small letters
   */
  public String protocol(int kind, Object owner, long offset, long count, Plan plan, int peer) {
    if (peer == endpoint.self()) {
      return Protocol.SELF.word();
    }
    long bytes = count * plan.size();
    Outbound o = outbound.to(peer);
    o.acquire();
    try {
      long layout = o.layout(buffers, bytes, kind, offset, count, plan);
      return o.choose(buffers, bytes, kind, offset, layout, plan.isRun(count)).word();
    } finally {
      Reference.reachabilityFence(owner);
      o.lock.unlock();
    }
  }

  /**
   * Sends a peer the failure of this rank in a collective call, behind all earlier messages to it.
   *
   * @param peer the peer
   * @param failure what has happened
   * @param tag tag of the call's messages
   */
  public void sendFailure(int peer, CallFailure failure, int tag) {
    Outbound o = outbound.to(peer);
    o.acquire();
    try {
      if (o.isShut()) {
        return;
      }
      if (!o.backlog.isEmpty() || !o.pushFailure(failure, tag)) {
        SendOp op = new SendOp(control);
        op.set(
            SendOp.FAILURE, Memory.NATIVE, failure, 0, 0, null, 0, peer, failure.context(), tag);
        op.protocol = Protocol.INLINE;
        o.backlog.add(op);
      }
    } finally {
      o.allPublished();
      o.lock.unlock();
    }
  }

  /** The short way of a message that is one chunk; returns false when only {@link #start} can send it. */
  private boolean sendsWhole(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context,
      int tag) {
    return (mode & ~Engine.READY) == 0 && selector.isOneRecord(bytes) && !buffers.isDirect(bytes, kind, offset)
        && pushWhole(kind, owner, offset, count, plan, bytes, peer, context, tag);
  }

  private boolean pushWhole(
      int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag) {
    Outbound o = outbound.to(peer);
    o.acquire();
    try {
      return o.pushWhole(kind, owner, offset, count, plan, (int) bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw Outbound.unusable(e);
    } finally {
      o.allPublished();
      o.lock.unlock();
    }
  }

  /** Starts a send; returns null when it has already completed. */
  private SendOp start(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag,
      boolean cancellable) {
    if (peer == endpoint.self()) {
      return startSelf(mode, kind, owner, offset, count, plan, bytes, context, tag);
    }
    Outbound o = outbound.to(peer);
    o.acquire();
    try {
      if (o.isShut()) {
        SendOp op = new SendOp(control);
        op.set(mode, kind, owner, offset, count, plan, bytes, peer, context, tag);
        op.finish(departures.sendError(peer));
        return op;
      }
      long layout = o.layout(buffers, bytes, kind, offset, count, plan);
      Protocol protocol = o.choose(buffers, bytes, kind, offset, layout, plan.isRun(count));
      boolean held = cancellable && protocol.isEager() && o.shouldHold(bytes);
      long sent = 0;
      if ((mode & Engine.SYNCHRONOUS) == 0 && protocol.isEager() && o.backlog.isEmpty() && !held) {
        boolean ready = mode == Engine.READY && endpoint.options().checking();
        if (protocol == Protocol.INLINE && !ready && (mode & Engine.SIGNED) == 0
            && o.pushInline(kind, owner, offset, count, plan, (int) bytes, context, tag)) {
          return null;
        }
        int flags = ready ? EnvelopeLayout.READY : 0;
        sent = o.pushEager(kind, owner, offset, count, plan, bytes, context, tag, flags);
        if (sent == bytes) {
          return null;
        }
      }
      SendOp op = cancellable ? new SendOp(control) : o.acquireSpare(control);
      op.set(mode, kind, owner, offset, count, plan, bytes, peer, context, tag);
      op.protocol = protocol;
      op.cancellable = cancellable || survives;
      op.sent = Math.max(0, sent);
      if (protocol == Protocol.DIRECT) {
        op.layout = layout;
        op.pin = buffers.pin(offset + plan.trueLowerBound());
      }
      boolean needsCopy = cancellable && o.needsCopy(kind, bytes);
      if (needsCopy && !protocol.isEager()) {
        op.sendFrom(copies.of(kind, owner, offset, count, plan, bytes));
      }
      if (held || sent > 0 || !o.backlog.isEmpty() || !o.push(op)) {
        if (needsCopy && op.copy == null) {
          op.sendFrom(copies.of(kind, owner, offset, count, plan, bytes));
        }
        if (!held) {
          o.countRefused(op);
        }
        o.enqueue(op, held);
      } else if (o.endPush(op)) {
        return null; // the ring had room after all, and the receive was there if it had to be
      }
      return op;
    } catch (IllegalStateException | WrongThreadException e) {
      throw Outbound.unusable(e);
    } finally {
      o.allPublished();
      o.lock.unlock();
    }
  }

  /** Starts a message to oneself. Small ones are buffered; large and synchronous ones wait for their receive. */
  private SendOp startSelf(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, long context, int tag) {
    SendOp op = new SendOp(control);
    op.set(mode, kind, owner, offset, count, plan, bytes, endpoint.self(), context, tag);
    op.protocol = Protocol.SELF;
    boolean copy = kind == Memory.CONFINED || selector.buffersSelf(bytes);
    return selfMessages.send(op, copy) ? null : op;
  }
}
