// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.RankProgress;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * Starts receives. The mirror of {@link Sending}.
 *
 * <p>{@link #recv} is the whole way of a small message that is expected, out of the ring into the buffer, without a new
 * object. All other messages come by polling, through {@link Inbound} and {@link Delivery}. Any thread.
 */
public final class Receiving implements RecvOp.Owner {
  private final int self;
  private final boolean checking;
  private final InboundRings inbound;
  private final Delivery delivery;
  private final RankLock lock;
  private final RankProgress progress;
  private final Waiting waiting;
  private final ReceivePool pool = new ReceivePool();

  Receiving(
      int self, boolean checking, InboundRings inbound, Delivery delivery, RankLock lock, RankProgress progress,
      Waiting waiting) {
    this.self = self;
    this.checking = checking;
    this.inbound = inbound;
    this.delivery = delivery;
    this.lock = lock;
    this.progress = progress;
    this.waiting = waiting;
  }

  // ---------------------------------------------------------------- start

  /**
   * Receives and blocks until the message is in the buffer; arguments as {@link Engine#recv}.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements that fit
   * @param plan plan of the element type
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @param envelope filled on return; null to ignore
   */
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (checking) {
      checkReceivable(count, plan);
    }
    lock.acquire();
    RecvOp op;
    boolean isQuiet = false;
    try {
      progress.countReceive();
      Inbound in = peer < 0 || !delivery.isIdle() ? null : inbound.from(peer);
      isQuiet = in != null
          && in.consumeExpected(waiting.firstLooks(), kind, owner, offset, count, plan, context, tag, envelope);
      if (isQuiet) {
        return;
      }
      op = pool.acquireSpare(this);
      op.set(kind, owner, offset, count, plan, peer, context, tag);
      op.blocked = Thread.currentThread();
      isQuiet = delivery.start(op) && waiting.spinLocked(op);
    } catch (IllegalStateException | WrongThreadException e) {
      throw new MpiException(ErrorClass.ERR_BUFFER, "the buffer cannot be used: " + e.getMessage(), e);
    } finally {
      lock.unlock(!isQuiet);
    }
    if (!op.isDone()) {
      waiting.awaitAfterLock(op);
    }
    MpiException error = op.error();
    if (envelope != null) {
      op.envelope(envelope);
    }
    pool.releaseSpare(op);
    if (error != null) {
      throw error;
    }
  }

  /**
   * Starts a receive; arguments as {@link Engine#irecv}.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements that fit
   * @param plan plan of the element type
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @return the operation
   */
  public Operation irecv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (checking) {
      checkReceivable(count, plan);
    }
    lock.acquire();
    boolean isPosted = false;
    try {
      progress.countReceive();
      RecvOp op = pool.acquire(this);
      op.set(kind, owner, offset, count, plan, peer, context, tag);
      isPosted = delivery.start(op);
      return op;
    } finally {
      lock.unlock(!isPosted); // if it is, nothing has begun that a sleeping thread would have to poll for
    }
  }

  /**
   * Starts a receive that acquires its memory when its message is matched; arguments as {@link Engine#irecv}.
   *
   * @param memory returns memory for a number of bytes
   * @param plan plan of bytes
   * @param peer sender, or ANY_SOURCE
   * @param context matching context
   * @param tag message tag, or ANY_TAG
   * @return the operation
   */
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    lock.acquire();
    try {
      progress.countReceive();
      RecvOp op = pool.acquire(this);
      op.set(Memory.NATIVE, null, 0, 0, plan, peer, context, tag);
      op.memory = memory;
      delivery.start(op);
      return op;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts the receive of a message that a matched probe has claimed; arguments as {@link Engine#imrecv}.
   *
   * @param message the claimed message
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset begin of the buffer, in the terms of {@code kind}
   * @param count number of elements that fit
   * @param plan plan of the element type
   * @return the operation
   */
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    if (checking) {
      checkReceivable(count, plan);
    }
    UnexpectedMessage m = (UnexpectedMessage) message;
    lock.acquire();
    try {
      progress.countReceive();
      RecvOp op = pool.acquire(this);
      op.set(kind, owner, offset, count, plan, m.peer(), m.context(), m.tag());
      delivery.match(m, op);
      return op;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the receives of a collective call in which this rank has failed, and drops its messages, now and later.
   *
   * @param failure what has happened at this rank
   * @param tag tag of the call's messages
   * @return false when a failure in the call is already known
   */
  public boolean failCall(CallFailure failure, int tag) {
    lock.acquire();
    try {
      return delivery.failCall(failure, tag);
    } finally {
      lock.unlock();
    }
  }

  /** Where types are checked, rejects a buffer of which two elements, or two parts of one, share a byte. */
  private void checkReceivable(long count, Plan plan) {
    if (plan.overlaps(count)) {
      throw new MpiException(
          ErrorClass.ERR_TYPE,
          "count = " + count + " elements whose entries overlap cannot be received: " + plan.size()
              + " bytes of data each, extent " + plan.extent() + ", true extent " + plan.trueExtent());
    }
  }

  // ---------------------------------------------------------------- started receives

  @Override
  public boolean cancel(RecvOp op) {
    if (!lock.lock()) {
      return false;
    }
    try {
      if (!delivery.withdraw(op)) {
        return false;
      }
      op.finishCancelled();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean finishBound(RecvOp op) {
    if (!lock.lock()) {
      return false;
    }
    try {
      return delivery.finishBound(op) || delivery.hasTransfers() && progress.pollLocked() > 0;
    } finally {
      lock.unlock();
    }
  }
}
