// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.ForwardingEngine;
import org.ffmpi.spi.LeftMessage;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WindowWatch;

/**
 * An engine that knows which buffers the messages of the program use, from the call that starts an operation until the
 * one that completes it, and which messages have been sent. Messages of the library itself pass unseen. Called by the
 * threads that call an engine; makes the progress that the engine below makes.
 */
@SuppressWarnings("exports") // plans cross this port only between our own modules, to which their package is exported
final class CheckEngine extends ForwardingEngine {
  /** Longest message whose receiver a standard send waits for; longer ones may wait anyway. */
  private static final long MOST_UNBUFFERED = 1 << 16;

  /** How many standard sends of a rank wait for their receivers; of those that follow, each of some number does. */
  private static final int FIRST_SENDS = 1000;

  private static final int EACH_SEND = 32;

  /** How long the end of the last sends is waited for before the exchange about them continues. */
  private static final long FLUSH_NANOS = 20_000_000;

  /** How many channels are known before those that are closed are looked for. */
  private static final int MOST_CHANNELS = 256;

  private final BuffersInUse buffers;
  private final SentMessages sent = new SentMessages();

  /** The open channels, by their contexts; closed ones may become garbage. */
  private final Map<Long, WeakReference<Channel>> channels = new ConcurrentHashMap<>();
  private final RankLifetimes lifetimes;

  private volatile int mostChannels = MOST_CHANNELS;

  private final UnsafeSends unsafe = new UnsafeSends();

  private final AtomicLong sends = new AtomicLong();

  /** Whether standard sends wait for their receivers: where the engine knows what all ranks do. */
  private volatile boolean mayStandStill;

  /**
   * Creates the engine.
   *
   * @param comparesBuffers whether buffers that calls share, and those that change, are looked for here
   * @param sink gets the findings; may be null
   */
  CheckEngine(Engine engine, boolean comparesBuffers, Consumer<CheckReport.Finding> sink) {
    super(engine);
    this.buffers = new BuffersInUse(comparesBuffers);
    this.lifetimes = new RankLifetimes(this, engine.lifetimes(), new LeftMessages(engine, sent), sink);
    this.mayStandStill = comparesBuffers && engine.sharedMemory() != null && engine.choices() == null
        && engine.survival() == null; // a layer below that numbers messages has to see each of them once
    for (int peer = 0; mayStandStill && peer < engine.peers(); peer++) {
      mayStandStill = engine.node(peer) == engine.node(engine.self());
    }
  }

  /** Returns what is known about sends that have needed a buffer. */
  UnsafeSends unsafe() {
    return unsafe;
  }

  BuffersInUse buffers() {
    return buffers;
  }

  @Override
  public Lifetimes lifetimes() {
    return lifetimes;
  }

  @Override
  public void opened(Channel channel) {
    super.opened(channel);
    channel.setMaker(CallPlace.ofThisThread().line());
    channels.put(channel.pointToPoint(), new WeakReference<>(channel));
    if (channels.size() > mostChannels) {
      forgetClosed();
    }
  }

  /** Forgets communicators that have become garbage, with their messages. */
  private void forgetClosed() {
    channels.values().removeIf(known -> known.get() == null);
    sent.retain(channels.keySet());
    mostChannels = Math.max(MOST_CHANNELS, 2 * channels.size());
  }

  /** Returns whether messages are the program's own: those of windows, and of collective calls, are not. */
  private boolean isOfProgram(long context) {
    if (context < 0 || context % Channel.CONTEXTS != 0) {
      return false;
    }
    WeakReference<Channel> known = channels.get(context);
    Channel channel = known == null ? null : known.get();
    return channel != null && channel.epochs() == null;
  }

  @Override
  public WindowWatch watch(Channel channel, WindowWatch.Parts parts) {
    WindowWatch below = super.watch(channel, parts);
    return below == null && buffers.compares() ? new WindowBuffers(this, parts) : below;
  }

  // ---- sends

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOfProgram(context)) {
      super.send(mode, kind, owner, offset, count, plan, peer, context, tag);
      return;
    }
    CallPlace place = CallPlace.ofThisThread();
    LentBuffer from = new LentBuffer(false, place, kind, owner, offset, count, plan);
    List<LentBuffer> used = List.of(from);
    buffers.lend(used);
    try {
      sent.add(peer, context, tag, place);
      boolean isOver = waitsForReceiver(mode, peer, plan.packedBytes(count)) && (peer == self()
          ? sendToItself(from, peer, context, tag)
          : sendWithoutBuffer(from, peer, context, tag));
      if (!isOver) {
        super.send(mode, kind, owner, offset, count, plan, peer, context, tag);
      }
    } finally {
      buffers.giveBack(used);
    }
  }

  /** Returns whether the next send waits for its receiver: each of the first short ones, and some of the others. */
  private boolean waitsForReceiver(int mode, int peer, long bytes) {
    if (!mayStandStill || mode != STANDARD || peer >= peers() || bytes > MOST_UNBUFFERED) {
      return false;
    }
    long number = sends.getAndIncrement();
    return number < FIRST_SENDS || number % EACH_SEND == 0;
  }

  /** Sends and waits for the receiver; returns false when the message is still to be sent. */
  private boolean sendWithoutBuffer(LentBuffer from, int peer, long context, int tag) {
    buffers.copy(from);
    UnbufferedSend waiting = new UnbufferedSend(
        engine, from.isend(engine, peer, context, tag), peer, from.isHeldBack());
    boolean isSent = waiting.await();
    if (waiting.needsBuffer()) {
      unsafe.add(from.place, peer, tag);
    }
    if (waiting.needsBuffer() || waiting.isLate()) {
      mayStandStill = false; // so that such a program loses seconds once
    }
    return isSent;
  }

  /** Sends to this rank a copy that waits for its receive, if that has not been posted; returns false without one. */
  private boolean sendToItself(LentBuffer from, int peer, long context, int tag) {
    buffers.copy(from);
    if (!from.isHeldBack()) {
      return false;
    }
    Operation started = from.isend(engine, peer, context, tag);
    if (!engine.test(started)) {
      unsafe.addToItself(from.place, tag, started);
    } else if (started.error() != null) {
      throw started.error();
    }
    return true;
  }

  /** Notes that the message of a nonblocking send that the program waits for has needed a buffer. */
  void needsBuffer(CallPlace place, int peer, int tag) {
    mayStandStill = false;
    unsafe.add(place, peer, tag);
  }

  /** Notes that the receiver of a nonblocking send that the program waits for computes for long. */
  void isLate() {
    mayStandStill = false;
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    boolean isSent = super.trySend(kind, owner, offset, count, plan, peer, context, tag);
    if (isSent && isOfProgram(context)) {
      sent.add(peer, context, tag, CallPlace.ofThisThread());
    }
    return isSent;
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOfProgram(context)) {
      return super.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    }
    CallPlace place = CallPlace.ofThisThread();
    LentBuffer from = new LentBuffer(false, place, kind, owner, offset, count, plan);
    List<LentBuffer> used = List.of(from);
    buffers.lend(used);
    try {
      if (isAwaitedByProgram(place) && waitsForReceiver(mode, peer, plan.packedBytes(count))) {
        buffers.copy(from);
      }
      buffers.remember(used);
      sent.add(peer, context, tag, place);
      if (from.isHeldBack()) {
        return new HeldSend(this, from.isend(engine, peer, context, tag), used, peer, tag).awaken();
      }
      return new LentOperation(
          this, super.isend(mode, kind, owner, offset, count, plan, peer, context, tag), used).awaken();
    } catch (RuntimeException e) {
      buffers.giveBack(used);
      throw e;
    }
  }

  /** Returns whether the program has the request of a send, and not another call of the library, or another request. */
  private static boolean isAwaitedByProgram(CallPlace place) {
    return switch (place.call()) {
      case "MPI_Isend", "MPI_Sendrecv", "MPI_Sendrecv_replace" -> true;
      case "MPI_Start", "MPI_Startall" -> !place.isWithin("AttachedBuffer");
      default -> false;
    };
  }

  // ---- receives

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (!isOfProgram(context)) {
      super.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
      return;
    }
    unsafe.receives();
    List<LentBuffer> used = List.of(
        new LentBuffer(true, CallPlace.ofThisThread(), kind, owner, offset, count, plan));
    buffers.lend(used);
    try {
      super.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
    } catch (MpiException e) {
      throw explained(e);
    } finally {
      buffers.giveBack(used);
    }
  }

  /** Returns the error of a receive whose sender has gone, with what that has sent and no receive has matched. */
  private MpiException explained(MpiException error) {
    if (error.errorClass() != ErrorClass.ERR_PROC_ABORTED) {
      return error;
    }
    for (LeftMessage left : engine.unreceived()) {
      if (engine.isLeaving(left.peer()) && isOfProgram(left.context())) {
        return new MpiException(
            error.errorClass(),
            error.getMessage().substring(error.getMessage().indexOf(": ") + 2) + "; its message of " + left.bytes()
                + " bytes with tag " + left.tag() + " fits no receive: compare source, tag and communicator", error);
      }
    }
    return error;
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOfProgram(context)) {
      return super.irecv(kind, owner, offset, count, plan, peer, context, tag);
    }
    unsafe.receives();
    LentBuffer into = new LentBuffer(true, CallPlace.ofThisThread(), kind, owner, offset, count, plan);
    List<LentBuffer> used = List.of(into);
    buffers.lend(used);
    try {
      buffers.holdBack(into);
      return new LentOperation(this, super.irecv(
          into.usedKind(), into.usedOwner(), into.usedOffset(), count, plan, peer, context, tag), used).awaken();
    } catch (RuntimeException e) {
      buffers.giveBack(used);
      throw e;
    }
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    unsafe.receives();
    LentBuffer into = new LentBuffer(true, CallPlace.ofThisThread(), kind, owner, offset, count, plan);
    List<LentBuffer> used = List.of(into);
    buffers.lend(used);
    try {
      buffers.holdBack(into);
      return new LentOperation(this, super.imrecv(
          message, into.usedKind(), into.usedOwner(), into.usedOffset(), count, plan), used).awaken();
    } catch (RuntimeException e) {
      buffers.giveBack(used);
      throw e;
    }
  }

  // ---- waits

  /** A rank whose last messages are not received takes part in the exchange about what is left before it leaves. */
  @Override
  public boolean flush(long nanos) {
    long begin = System.nanoTime();
    long left = nanos;
    while (!super.flush(Math.min(left, FLUSH_NANOS))) {
      left = nanos - (System.nanoTime() - begin);
      if (left <= 0) {
        return false;
      }
      if (lifetimes.exchange(Math.min(left, FLUSH_NANOS))) {
        return super.flush(Math.max(0, left - FLUSH_NANOS)); // in one piece, so that it is seen to wait
      }
    }
    return true;
  }

  /** Returns what the engine below waits for; a send that waits for its receiver may end before that does. */
  private static Operation inner(Operation operation) {
    return operation instanceof LentOperation lent && !(operation instanceof HeldSend) ? lent.inner() : operation;
  }

  private static boolean isOver(Operation operation) {
    return operation.isDone() || operation.advance() && operation.isDone();
  }

  @Override
  public void await(Operation operation) {
    if (!operation.isDone()) {
      super.await(inner(operation));
      operation.advance();
    }
  }

  @Override
  public boolean test(Operation operation) {
    return operation.isDone() || super.test(inner(operation)) && isOver(operation);
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    return operation.isDone() || super.awaitFor(inner(operation), nanos) && isOver(operation);
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    super.awaitAny(inner(operations, length), length);
    for (int i = 0; i < length; i++) {
      if (operations[i] != null) {
        operations[i].advance();
      }
    }
  }

  private static Operation[] inner(Operation[] operations, int length) {
    Operation[] inner = new Operation[length];
    for (int i = 0; i < length; i++) {
      inner[i] = operations[i] == null ? null : inner(operations[i]);
    }
    return inner;
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    super.whenDone(inner(operation), () -> {
      operation.advance();
      action.run();
    });
  }

  /** The choices of a layer below are made among its own operations. */
  @Override
  public Choices choices() {
    Choices below = super.choices();
    return below == null ? null : new Choices() {
      @Override
      public int any(Operation[] operations, int length, boolean wait) {
        int chosen = below.any(inner(operations, length), length, wait);
        if (chosen >= 0) {
          operations[chosen].advance();
        }
        return chosen;
      }

      @Override
      public void some(Operation[] operations, int length, boolean wait) {
        Operation[] inner = inner(operations, length);
        below.some(inner, length, wait);
        for (int i = 0; i < length; i++) {
          if (inner[i] == null) {
            operations[i] = null;
          } else {
            operations[i].advance();
          }
        }
      }

      @Override
      public boolean look(BooleanSupplier condition) {
        return below.look(condition);
      }

      @Override
      public boolean all(Operation[] operations, int length) {
        if (!below.all(inner(operations, length), length)) {
          return false;
        }
        for (int i = 0; i < length; i++) {
          if (operations[i] != null) {
            operations[i].advance();
          }
        }
        return true;
      }
    };
  }
}
