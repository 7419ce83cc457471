// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The sending half of an engine: chooses how a message travels, starts it, and moves on what could not leave at once.
 *
 * <p>{@link #send} is the whole way of a small message: into the ring under the lock of the way to that peer, with no
 * object made. What does not fit becomes a {@link SendOp}, which polling moves on.
 */
final class Sending {
  private static final long LINE = 64;

  /** Memory that a peer may touch to read strewn data in place; measured, see docs/decisions/0003-protocols.md. */
  private static final long REACH = 1 << 20;

  private static final VarHandle BACKLOGS;

  static {
    try {
      BACKLOGS = MethodHandles.lookup().findVarHandle(Sending.class, "backlogs", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ShmEngine engine;
  private final Offers offers;
  private final Outbound[] outbound;
  private final Consumer<SendOp> onMatched = this::startPipe;
  private final Consumer<SendOp> onDone = SendOp::finish;
  private final int oneChunk;
  private int backlogs;
  private int pipesOut;

  Sending(ShmEngine engine) {
    this.engine = engine;
    this.offers = engine.offers;
    this.oneChunk = engine.options.oneChunk();
    this.outbound = new Outbound[engine.peers];
    for (int p = 0; p < outbound.length; p++) {
      outbound[p] = new Outbound(engine, p);
    }
  }

  // ---------------------------------------------------------------- starting

  /** The engine's {@code send}. */
  void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (mode != Engine.SYNCHRONOUS && bytes <= oneChunk && !isDirect(bytes, kind, offset)
        && pushSmall(kind, owner, offset, count, plan, bytes, peer, context, tag)) {
      return;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, false);
    if (op != null) {
      engine.await(op);
      MpiException error = op.error();
      if (error != null) {
        throw error;
      }
      outbound[peer].putSpare(op);
    }
  }

  /** The engine's {@code isend}. */
  Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (mode != Engine.SYNCHRONOUS && bytes <= oneChunk && !isDirect(bytes, kind, offset)
        && pushSmall(kind, owner, offset, count, plan, bytes, peer, context, tag)) {
      return ShmEngine.COMPLETED;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, true);
    return op == null ? ShmEngine.COMPLETED : op;
  }

  /** The engine's {@code trySend}. */
  boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (peer == engine.self) {
      return bytes <= engine.options.selector().eagerLimit()
          && startSelf(Engine.STANDARD, kind, owner, offset, count, plan, bytes, context, tag) == null;
    }
    return bytes <= oneChunk && pushSmall(kind, owner, offset, count, plan, bytes, peer, context, tag);
  }

  private boolean isDirect(long bytes, int kind, long offset) {
    return bytes >= engine.options.selector().directLimit() && kind == Memory.NATIVE && engine.heap.contains(offset);
  }

  /**
   * Returns the record of the plan by which peers read elements in the shared heap, 0 when they had better be packed.
   * All of the data has to lie there, and its origin too: what absolute addresses name may lie in several blocks, of
   * which a transfer could keep only one. Data strewn over more than a second-level cache is packed: one core that
   * waits for line after line of another's memory is slower than two that pack and unpack at once.
   */
  private long layoutForPeers(long bytes, int kind, long offset, long count, Plan plan) {
    if (!isDirect(bytes, kind, offset)) {
      return 0;
    }
    long last = (count - 1) * plan.extent();
    long first = offset + plan.trueLowerBound() + Math.min(0, last);
    long end = offset + plan.trueLowerBound() + plan.trueExtent() + Math.max(0, last);
    if (!engine.heap.contains(first) || !engine.heap.contains(end - 1)) {
      return 0;
    }
    long touched = Math.min(end - first, bytes + LINE * Math.min(count * plan.runs(), REACH));
    return touched <= REACH || touched - bytes < bytes / 4 ? engine.types.of(plan) : 0;
  }

  /** The short way of a small message; false when only {@link #start} can tell what to do. */
  private boolean pushSmall(
      int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag) {
    Outbound o = outbound[peer];
    if (!o.lock()) {
      throw engine.left();
    }
    try {
      return bytes <= EnvelopeLayout.INLINE_BYTES
          ? o.pushInline(kind, owner, offset, count, plan, (int) bytes, context, tag)
          : o.pushWhole(kind, owner, offset, count, plan, (int) bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ShmEngine.unusable(e);
    } finally {
      engine.wake(o.peerBlock);
      o.unlock();
    }
  }

  /** Starts a send; null when it has already ended well. */
  private SendOp start(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag,
      boolean cancellable) {
    boolean ready = mode == Engine.READY && engine.options.checking();
    if (peer == engine.self) {
      return startSelf(mode, kind, owner, offset, count, plan, bytes, context, tag);
    }
    Outbound o = outbound[peer];
    if (!o.lock()) {
      throw engine.left();
    }
    SendOp op = null;
    try {
      boolean isRun = plan.isRun(count);
      long layout = isRun ? 0 : layoutForPeers(bytes, kind, offset, count, plan);
      boolean readable = isRun ? kind == Memory.NATIVE && engine.heap.contains(offset) : layout != 0;
      boolean crossable = kind == Memory.NATIVE && isRun && engine.options.isCross(bytes) && engine.cross.mayOffer();
      Protocol protocol = engine.options.selector().choose(bytes, readable, o.isPressed() || crossable);
      long sent = 0;
      if (mode != Engine.SYNCHRONOUS && protocol.compareTo(Protocol.EAGER) <= 0 && !o.hasBacklog()) {
        if (protocol == Protocol.INLINE && !ready
            && o.pushInline(kind, owner, offset, count, plan, (int) bytes, context, tag)) {
          return null;
        }
        sent = o.pushEager(kind, owner, offset, count, plan, bytes, 0, context, tag, ready ? EnvelopeLayout.READY : 0);
        if (sent == bytes) {
          return null;
        }
      }
      op = cancellable ? new SendOp(engine) : o.takeSpare();
      op.describe(mode, kind, owner, offset, count, plan, bytes, peer, context, tag);
      op.protocol = protocol;
      op.cancellable = cancellable;
      op.sent = Math.max(0, sent);
      if (protocol == Protocol.DIRECT) {
        op.layout = layout;
        op.pin = engine.heap.pin(offset + plan.trueLowerBound());
      } else if (protocol == Protocol.PIPED) {
        op.readable = crossable;
      }
      if (sent > 0 || o.hasBacklog() || !o.push(op)) {
        o.enqueue(op);
      } else if (o.isOver(op)) {
        return null; // the ring had room after all, and the receive was there if it had to be
      }
      return op;
    } catch (IllegalStateException | WrongThreadException e) {
      throw ShmEngine.unusable(e);
    } finally {
      engine.wake(o.peerBlock);
      o.unlock();
    }
  }

  /** A message to oneself: small ones are buffered, large ones and synchronous ones wait for their receive. */
  private SendOp startSelf(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, long context, int tag) {
    SendOp op = new SendOp(engine);
    op.describe(mode, kind, owner, offset, count, plan, bytes, engine.self, context, tag);
    op.protocol = Protocol.SELF;
    boolean copy = kind == Memory.CONFINED || bytes <= engine.options.selector().eagerLimit();
    if (!engine.lock.lock()) {
      throw engine.left();
    }
    try {
      return engine.receiving.onSelf(op, copy) ? null : op;
    } finally {
      engine.unlock();
    }
  }

  /** Cancels a send that nobody has matched. */
  boolean cancel(SendOp op) {
    if (op.protocol == Protocol.SELF) {
      return engine.lock.lock() && cancelSelf(op);
    }
    Outbound o = outbound[op.peer];
    if (!o.lock()) {
      return false;
    }
    boolean taken;
    try {
      op.cancelWanted = op.cancellable && o.isPartlySent(op); // the rest has to follow first
      taken = !o.isPartlySent(op) && (o.withdraw(op) || op.word != 0 && op.cancellable && offers.cancel(op));
    } finally {
      o.unlock();
    }
    if (taken) {
      op.cancelled = true;
      op.finish();
    }
    return taken;
  }

  private boolean cancelSelf(SendOp op) {
    try {
      if (!engine.receiving.withdrawSelf(op)) {
        return false;
      }
      op.cancelled = true;
      op.finish();
      return true;
    } finally {
      engine.unlock();
    }
  }

  // ---------------------------------------------------------------- moving on

  /** Racy: whether there is something that {@link #poll} may move. */
  boolean hasWork() {
    return !offers.isEmpty() || pipesOut != 0 || backlogs != 0;
  }

  /** Moves what could not leave at once, a bounded amount; called with the engine's lock held. */
  int poll() {
    int moved = 0;
    if (!offers.isEmpty()) {
      moved += offers.scan(onMatched, onDone);
    }
    if (pipesOut != 0) {
      moved += pushPipes();
    }
    if (backlogs != 0) {
      moved += flushBacklogs();
    }
    return moved;
  }

  void startPipe(SendOp op) {
    PipeSender pipe = outbound[op.peer].pipe;
    if (pipe.isIdle()) {
      pipesOut++;
    }
    pipe.start(op);
  }

  /** Looks at all sends that wait for a peer's word, not at some as polling does. */
  void settle() {
    for (int rounds = offers.rounds(); rounds > 0; rounds--) {
      offers.scan(onMatched, onDone);
    }
  }

  private int pushPipes() {
    int moved = 0;
    for (Outbound o : outbound) {
      if (o.pipe != null && !o.pipe.isIdle()) {
        moved += o.pipe.push();
        if (o.pipe.isIdle()) {
          pipesOut--;
        }
      }
    }
    return moved;
  }

  private int flushBacklogs() {
    int moved = 0;
    for (Outbound o : outbound) {
      if (o.hasBacklog() && o.tryLock()) {
        try {
          moved += o.flush();
        } finally {
          o.unlock();
        }
      }
    }
    return moved;
  }

  void countBacklog(int change) {
    BACKLOGS.getAndAdd(this, change);
  }

  /** Ends all sends to a peer that has gone. */
  void failAllTo(int peer, GonePeers gone) {
    Outbound o = outbound[peer];
    if (!o.lock()) {
      return;
    }
    SendOp chain;
    try {
      chain = o.takeBacklog();
    } finally {
      o.unlock();
    }
    while (chain != null) {
      SendOp following = chain.next;
      chain.finish(gone.sendError(peer));
      chain = following;
    }
    offers.dropIf(op -> op.peer == peer, op -> op.finish(gone.sendError(peer)));
    if (o.pipe != null && !o.pipe.isIdle()) {
      o.pipe.dropIf(op -> true, op -> op.finish(gone.sendError(peer)));
      pipesOut--;
    }
  }

  /** Stops all sending: nothing touches the segment afterwards. */
  void close() {
    for (Outbound o : outbound) {
      o.close();
    }
    offers.close();
  }
}
