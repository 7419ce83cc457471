// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallObserver;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.ForwardingEngine;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * An engine whose calls are events of flight recordings, if they last as long as the recording's settings ask. Called
 * by the threads that call an engine; makes the progress that the other engine makes.
 */
final class FlightEngine extends ForwardingEngine {
  /** Null where no folder is named. */
  private final EntryTable entries;

  private final int rank;

  /** The deaths that have been told. */
  private final Set<String> deaths = ConcurrentHashMap.newKeySet();

  private final ProgramContexts contexts = new ProgramContexts();
  private final FlightWindows windows = new FlightWindows(this);

  /** The thread in a collective call, whose waits are parts of it. A benign race: see {@link CallRecorder}. */
  private Thread inside;

  private FlightEngine(Engine engine, EntryTable entries) {
    super(engine);
    this.entries = entries;
    this.rank = engine.self();
  }

  static FlightEngine over(Engine engine) {
    Path folder = FlightRecording.begin(engine);
    int self = engine.self();
    return new FlightEngine(
        engine, folder == null ? null : EntryTable.open(folder, engine.node(self), self, engine.peers()));
  }

  EntryTable entries() {
    return entries;
  }

  ProgramContexts contexts() {
    return contexts;
  }

  @Override
  public CallObserver observer() {
    return windows;
  }

  // ---- messages

  private FlightEvents.Message sending(String call, int peer, long context, int tag, long bytes) {
    FlightEvents.Message event = new FlightEvents.Message();
    event.begin();
    event.start = System.nanoTime();
    event.rank = rank;
    event.call = call;
    event.peer = peer;
    event.tag = tag;
    event.communicator = Channel.numberOf(context);
    event.bytes = bytes;
    return event;
  }

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!contexts.has(context)) {
      engine.send(mode, kind, owner, offset, count, plan, peer, context, tag);
      return;
    }
    FlightEvents.Message event = sending("send", peer, context, tag, count * plan.size());
    try {
      engine.send(mode, kind, owner, offset, count, plan, peer, context, tag);
    } catch (MpiException e) {
      throw told(e);
    } finally {
      commit(event, true, kind, owner, offset, count, plan);
    }
  }

  private void commit(
      FlightEvents.Message event, boolean waits, int kind, Object owner, long offset, long count, Plan plan) {
    event.end();
    if (event.shouldCommit()) {
      event.waited = waits ? System.nanoTime() - event.start : 0;
      event.protocol = engine.protocol(kind, owner, offset, count, plan, event.peer);
      event.commit();
    }
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!contexts.has(context)) {
      return engine.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    }
    FlightEvents.Message event = sending("isend", peer, context, tag, count * plan.size());
    try {
      return engine.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    } finally {
      commit(event, false, kind, owner, offset, count, plan);
    }
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (!contexts.has(context)) {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
      return;
    }
    Envelope found = envelope == null ? new Envelope() : envelope;
    FlightEvents.Message event = sending("recv", peer, context, tag, 0);
    try {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, found);
    } catch (MpiException e) {
      throw told(e);
    } finally {
      event.end();
      if (event.shouldCommit()) {
        event.waited = System.nanoTime() - event.start;
        event.peer = found.peer();
        event.tag = found.tag();
        event.bytes = found.bytes();
        event.commit();
      }
    }
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    Operation started = engine.irecv(kind, owner, offset, count, plan, peer, context, tag);
    if (contexts.has(context) && started != engine.completed()) {
      started.mark(1);
    }
    return started;
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!contexts.has(context)) {
      return engine.trySend(kind, owner, offset, count, plan, peer, context, tag);
    }
    FlightEvents.Message event = sending("send", peer, context, tag, count * plan.size());
    boolean sent = engine.trySend(kind, owner, offset, count, plan, peer, context, tag);
    if (sent) {
      commit(event, true, kind, owner, offset, count, plan);
    }
    return sent;
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    Operation started = engine.irecv(memory, plan, peer, context, tag);
    if (contexts.has(context) && started != engine.completed()) {
      started.mark(1);
    }
    return started;
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    Operation started = engine.imrecv(message, kind, owner, offset, count, plan);
    if (started != engine.completed()) {
      started.mark(1);
    }
    return started;
  }

  /** Makes the event of a message that a started receive has got. */
  @Override
  public void ended(Operation operation) {
    FlightEvents.Message event = new FlightEvents.Message();
    if (!event.isEnabled()) {
      return;
    }
    Envelope envelope = new Envelope();
    operation.envelope(envelope);
    if (envelope.peer() >= 0 && operation.error() == null) {
      event.rank = rank;
      event.call = "irecv";
      event.peer = envelope.peer();
      event.tag = envelope.tag();
      event.communicator = -1;
      event.bytes = envelope.bytes();
      event.commit();
    }
  }

  // ---- waits

  @Override
  public void await(Operation operation) {
    if (isInside()) {
      engine.await(operation);
      return;
    }
    FlightEvents.Wait event = waiting("wait");
    try {
      engine.await(operation);
    } catch (MpiException e) {
      throw told(e);
    } finally {
      event.commit();
    }
    if (operation.error() != null) {
      told(operation.error());
    }
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    if (isInside()) {
      engine.awaitAny(operations, length);
      return;
    }
    FlightEvents.Wait event = waiting("waitAny");
    try {
      engine.awaitAny(operations, length);
    } catch (MpiException e) {
      throw told(e);
    } finally {
      event.commit();
    }
  }

  private FlightEvents.Wait waiting(String call) {
    FlightEvents.Wait event = new FlightEvents.Wait();
    event.begin();
    event.rank = rank;
    event.call = call;
    return event;
  }

  // ---- collective calls, see FlightCollectives

  boolean isInside() {
    return inside == Thread.currentThread();
  }

  Thread enter() {
    Thread before = inside;
    inside = Thread.currentThread();
    return before;
  }

  void leave(Thread before) {
    inside = before;
  }

  // ---- ends

  /** Makes the event of an end that a call has met, once for each; returns the error. */
  MpiException told(MpiException error) {
    if (error.errorClass() == ErrorClass.ERR_PROC_FAILED || error.errorClass() == ErrorClass.ERR_PROC_ABORTED) {
      tell(error.getMessage());
    }
    return error;
  }

  private void tell(String reason) {
    if (deaths.add(reason)) {
      FlightEvents.Death event = new FlightEvents.Death();
      event.rank = rank;
      event.reason = reason;
      event.commit();
    }
  }

  @Override
  public void leave(boolean failed) {
    engine.endReason().ifPresent(this::tell);
    try {
      engine.leave(failed);
    } finally {
      if (entries != null) {
        entries.remove();
      }
      FlightRecording.end();
    }
  }
}
