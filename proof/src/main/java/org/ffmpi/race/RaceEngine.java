// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.ForwardingEngine;
import org.ffmpi.spi.LeftMessage;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WindowWatch;

/**
 * An engine whose messages carry the clocks of their senders, each in a message of its own, and which knows the buffers
 * of calls that have not ended. Called by the threads that call an engine; waits only where the other one waits, and
 * for clocks that are on their way.
 */
final class RaceEngine extends ForwardingEngine {
  /** How long a rank that finalizes waits between two looks at what others tell. */
  private static final long SLICE_NANOS = 2_000_000;

  private final RankRaces races;
  /** Numbers of the channels of windows, whose messages are not the program's. */
  private final Set<Long> windows = ConcurrentHashMap.newKeySet();
  /** Where messages that are claimed and not received yet have come from. */
  private final Map<Matched, Posted> claimed = Collections.synchronizedMap(new IdentityHashMap<>());
  /** Receives of one sender and tag that have been posted, in this order, and whose end the program does not know. */
  private final Set<Posted> posted = new LinkedHashSet<>();

  /** The owner of the buffer that the last {@link #trySend} of a thread has not sent: what follows may send a copy. */
  private final ThreadLocal<Object> refused = new ThreadLocal<>();

  /** A receive, or a message that has been claimed. */
  private static final class Posted {
    final int peer;
    final long context;
    final int tag;

    Posted(int peer, long context, int tag) {
      this.peer = peer;
      this.context = context;
      this.tag = tag;
    }

    boolean isLike(int other, long otherContext, int otherTag) {
      return peer == other && context == otherContext && tag == otherTag;
    }
  }

  RaceEngine(Engine engine, RankRaces races) {
    super(engine);
    this.races = races;
  }

  /** Returns the search of an engine, or of one below it; null without one, as where jobs meet. */
  static RankRaces racesOf(Engine top) {
    Engine engine = top;
    while (engine instanceof ForwardingEngine layer && !(engine instanceof RaceEngine)) {
      engine = layer.below();
    }
    return engine instanceof RaceEngine found ? found.races : null;
  }

  // ---- what is watched

  /** Returns whether messages of a context order their ends: the program's own, and those of partitions and objects. */
  private boolean isOrdering(long context) {
    return Channel.isNumbered(context) && context >= 0 && context != Channel.WATCH_CONTEXT
        && !Channel.isOfCollectives(context) && !windows.contains(Channel.numberOf(context));
  }

  /** Returns whether the buffers of messages of a context are the program's. */
  private boolean hasBuffers(long context) {
    return isOrdering(context) && context % Channel.CONTEXTS == 0;
  }

  private BufferUse use(
      int kind, Object owner, long offset, long count, Plan plan, boolean writes, boolean blocks) {
    CallPlace place = CallPlace.ofThisThread();
    if (place.isWithin("PartitionedSending") || place.isWithin("PartitionedReceiving")) {
      return null; // partitions are the program's until they are ready, and once they have arrived
    }
    FlatBuffer buffer = new FlatBuffer();
    buffer.set(kind, owner, offset, count, plan);
    return BufferUse.begin(races, buffer, writes, false, blocks ? Thread.currentThread() : null, place,
        blocks ? "it returns" : "the request is completed by a wait or test");
  }

  private void tell(int peer, long context, int tag) {
    races.enter();
    races.settle();
    races.stream.tell(peer, context, tag, races.clock.release());
  }

  // ---- sends

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOrdering(context)) {
      super.send(mode, kind, owner, offset, count, plan, peer, context, tag);
      return;
    }
    BufferUse use = hasBuffers(context) ? use(kind, owner, offset, count, plan, false, true) : null;
    try {
      tell(peer, context, tag);
      super.send(mode, kind, owner, offset, count, plan, peer, context, tag);
    } finally {
      BufferUse.endIfAny(use);
    }
    check();
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOrdering(context)) {
      return super.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    }
    Object whole = refused.get();
    refused.remove();
    boolean isCopy = whole != null && whole != owner;
    BufferUse use = hasBuffers(context) && !isCopy
        ? use(kind, owner, offset, count, plan, false, false) : null;
    tell(peer, context, tag);
    Operation started = super.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    return use == null ? started : new ObservedOperation(started, false, use::end);
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    boolean sent = super.trySend(kind, owner, offset, count, plan, peer, context, tag);
    if (sent && isOrdering(context)) {
      tell(peer, context, tag);
    }
    if (!sent) {
      refused.set(owner);
    }
    return sent;
  }

  // ---- receives

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag,
      Envelope envelope) {
    if (!isOrdering(context)) {
      super.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
      return;
    }
    BufferUse use = hasBuffers(context) ? use(kind, owner, offset, count, plan, true, true) : null;
    Envelope into = envelope == null ? new Envelope() : envelope;
    Posted receive = post(peer, context, tag);
    try {
      super.recv(kind, owner, offset, count, plan, peer, context, tag, into);
      received(receive, into);
    } finally {
      BufferUse.endIfAny(use);
      forget(receive);
    }
    check();
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!isOrdering(context)) {
      return super.irecv(kind, owner, offset, count, plan, peer, context, tag);
    }
    BufferUse use = hasBuffers(context) ? use(kind, owner, offset, count, plan, true, false) : null;
    Posted receive = post(peer, context, tag);
    return observe(super.irecv(kind, owner, offset, count, plan, peer, context, tag), receive, use);
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    Operation started = super.irecv(memory, plan, peer, context, tag);
    return isOrdering(context) ? observe(started, post(peer, context, tag), null) : started;
  }

  private Operation observe(Operation started, Posted receive, BufferUse use) {
    return new ObservedOperation(started, use == null, () -> {
      BufferUse.endIfAny(use);
      if (started.isDone() && started.error() == null) {
        Envelope envelope = new Envelope();
        started.envelope(envelope);
        if (!envelope.cancelled()) {
          received(receive, envelope);
        }
      }
      forget(receive);
    });
  }

  private Posted post(int peer, long context, int tag) {
    Posted receive = new Posted(peer, context, tag);
    synchronized (posted) {
      posted.add(receive);
    }
    return receive;
  }

  private void forget(Posted receive) {
    synchronized (posted) {
      posted.remove(receive);
    }
  }

  /** Notes that the program has a message: the sender's clock follows. Earlier receives have earlier messages. */
  private void received(Posted receive, Envelope envelope) {
    if (envelope.peer() < 0) {
      return;
    }
    int skipped = 0;
    synchronized (posted) {
      for (Posted other : posted) {
        if (other == receive) {
          break;
        }
        skipped += other.isLike(envelope.peer(), receive.context, envelope.tag()) ? 1 : 0;
      }
      posted.remove(receive);
    }
    races.owe(envelope.peer(), receive.context, envelope.tag(), skipped);
  }

  // ---- matched probes

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    return claimed(super.mprobe(peer, context, tag, envelope), context, envelope);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    return claimed(super.improbe(peer, context, tag, envelope), context, envelope);
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    return claimed(super.claim(peer, context, tag, envelope), context, envelope);
  }

  private Matched claimed(Matched message, long context, Envelope envelope) {
    if (message != null && isOrdering(context)) {
      claimed.put(message, post(envelope.peer(), context, envelope.tag()));
    }
    return message;
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    Posted receive = claimed.remove(message);
    Operation started = super.imrecv(message, kind, owner, offset, count, plan);
    if (receive == null) {
      return started;
    }
    BufferUse use = hasBuffers(receive.context)
        ? use(kind, owner, offset, count, plan, true, false) : null;
    return observe(started, receive, use);
  }

  // ---- completion

  private void check() {
    races.poll();
    races.throwFound();
  }

  private static void seen(Operation operation) {
    if (operation instanceof ObservedOperation observed) {
      observed.end();
      if (observed.isDone()) {
        observed.see();
      }
    }
  }

  @Override
  public boolean test(Operation operation) {
    boolean done = super.test(ObservedOperation.innerOf(operation));
    if (done) {
      seen(operation);
    }
    races.settle();
    return done;
  }

  @Override
  public void await(Operation operation) {
    super.await(ObservedOperation.innerOf(operation));
    seen(operation);
    races.settle();
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    Operation[] inner = new Operation[length];
    for (int i = 0; i < length; i++) {
      inner[i] = ObservedOperation.innerOf(operations[i]);
    }
    super.awaitAny(inner, length);
    for (int i = 0; i < length; i++) {
      if (operations[i] instanceof ObservedOperation observed) {
        observed.end();
      }
    }
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    boolean done = super.awaitFor(ObservedOperation.innerOf(operation), nanos);
    if (done) {
      seen(operation);
    }
    return done;
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    super.whenDone(ObservedOperation.innerOf(operation), () -> {
      operation.advance();
      action.run();
    });
  }

  @Override
  public void release(Operation operation) {
    if (operation instanceof ObservedOperation observed) {
      observed.see();
    }
    super.release(ObservedOperation.innerOf(operation));
  }

  // ---- windows, threads, end

  /** Leaves out the clocks, which are no messages of the program. */
  @Override
  public List<LeftMessage> unreceived() {
    return super.unreceived().stream().filter(message -> message.context() != Channel.WATCH_CONTEXT).toList();
  }

  @Override
  public WindowWatch watch(Channel channel, WindowWatch.Parts parts) {
    races.enter();
    windows.add(channel.pointToPoint());
    return new WindowRaces(races, channel, parts);
  }

  @Override
  public void setThread(Thread thread) {
    races.setThread(thread);
    super.setThread(thread);
  }

  /** Receives what other ranks tell meanwhile: they may wait for that, too. */
  @Override
  public boolean flush(long nanos) {
    long begin = System.nanoTime();
    while (!super.flush(SLICE_NANOS)) {
      if (engine.endReason().isPresent() || nanos != Long.MAX_VALUE && System.nanoTime() - begin > nanos) {
        return super.flush(0);
      }
      races.stream.poll();
    }
    return true;
  }

  /** What a load or store has found after the last call is an error of the end. */
  @Override
  public Lifetimes lifetimes() {
    return races;
  }

  @Override
  public void leave(boolean failed) {
    boolean any;
    try {
      races.poll();
    } catch (MpiException e) {
      if (engine.endReason().isEmpty()) {
        throw e;
      }
    } finally {
      any = races.printFound();
      races.left();
      super.leave(failed || any);
    }
  }
}
