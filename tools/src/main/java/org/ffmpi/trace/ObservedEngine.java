// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallObserver;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.ForwardingEngine;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;
import org.ffmpi.trace.model.CallKind;

/**
 * An engine that records its calls in the contexts of the program's messages, and the waits outside collective calls
 * and calls on windows and files. Called by the threads that call an engine; makes the progress that the other engine
 * makes.
 *
 * <p>A started operation gets the number of its record as its mark. Its end is recorded by the wait for it or the test
 * that finds it complete, or else when its request ends. Tests and probes that find nothing are not recorded: a program
 * may make millions of them.
 */
final class ObservedEngine extends ForwardingEngine {
  private final CallRecorder recorder;
  private final TraceFolder folder;
  private final ClockCheck clocks;
  /** Names of synchronous sends, as strings' numbers. */
  private final int synchronousSend;
  private final int synchronousStart;

  ObservedEngine(Engine engine, CallRecorder recorder, TraceFolder folder, ClockCheck clocks) {
    super(engine);
    this.recorder = recorder;
    this.folder = folder;
    this.clocks = clocks;
    this.synchronousSend = recorder.string("ssend");
    this.synchronousStart = recorder.string("issend");
  }

  @Override
  public CallObserver observer() {
    return recorder;
  }

  // ---- messages

  private long sending(
      CallKind call, int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context,
      int tag) {
    long bytes = count * plan.size();
    // Protocols are those of standard mode; a synchronous send is told apart by its name.
    boolean synchronous = (mode & ~SIGNED) == SYNCHRONOUS;
    int name = !synchronous ? recorder.name(call) : call == CallKind.SEND ? synchronousSend : synchronousStart;
    long key = CallSites.key(name, context, peer, tag, bytes);
    int place = recorder.guess(key, call);
    if (place == CallSites.UNKNOWN) {
      place = recorder.learn(key, call, engine.protocol(kind, owner, offset, count, plan, peer));
    }
    return recorder.begin(call, name, place, context, peer, tag, bytes);
  }

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!recorder.isOfProgram(context)) {
      engine.send(mode, kind, owner, offset, count, plan, peer, context, tag);
      return;
    }
    long begun = sending(CallKind.SEND, mode, kind, owner, offset, count, plan, peer, context, tag);
    try {
      engine.send(mode, kind, owner, offset, count, plan, peer, context, tag);
    } finally {
      recorder.done(begun);
    }
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!recorder.isOfProgram(context)) {
      return engine.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    }
    long begun = sending(CallKind.ISEND, mode, kind, owner, offset, count, plan, peer, context, tag);
    Operation started = null;
    try {
      started = engine.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
      return started;
    } finally {
      recorder.done(begun, marked(started, begun));
    }
  }

  /** Gives a started operation its number; returns it, or 0 for one that has ended already, which others share. */
  private long marked(Operation started, long begun) {
    if (started == null || started == engine.completed()) {
      return 0;
    }
    started.mark(begun + 1);
    return begun + 1;
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!recorder.isOfProgram(context)) {
      return engine.trySend(kind, owner, offset, count, plan, peer, context, tag);
    }
    if (!engine.trySend(kind, owner, offset, count, plan, peer, context, tag)) {
      return false;
    }
    recorder.done(sending(CallKind.SEND, STANDARD, kind, owner, offset, count, plan, peer, context, tag));
    return true;
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (!recorder.isOfProgram(context)) {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
      return;
    }
    Envelope found = envelope == null ? new Envelope() : envelope;
    long begun = recorder.begin(CallKind.RECV, context, peer, tag, count * plan.size());
    boolean good = false;
    try {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, found);
      good = true;
    } finally {
      if (good) {
        recorder.done(begun, 0, found.peer(), found.tag(), found.bytes());
      } else {
        recorder.done(begun);
      }
    }
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (!recorder.isOfProgram(context)) {
      return engine.irecv(kind, owner, offset, count, plan, peer, context, tag);
    }
    long begun = recorder.begin(CallKind.IRECV, context, peer, tag, count * plan.size());
    Operation started = null;
    try {
      started = engine.irecv(kind, owner, offset, count, plan, peer, context, tag);
      return started;
    } finally {
      recorder.done(begun, marked(started, begun));
    }
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    if (!recorder.isOfProgram(context)) {
      return engine.irecv(memory, plan, peer, context, tag);
    }
    long begun = recorder.begin(CallKind.IRECV, context, peer, tag, 0);
    Operation started = null;
    try {
      started = engine.irecv(memory, plan, peer, context, tag);
      return started;
    } finally {
      recorder.done(begun, marked(started, begun));
    }
  }

  // ---- probes

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    if (!recorder.isOfProgram(context)) {
      engine.probe(peer, context, tag, envelope);
      return;
    }
    long begun = recorder.begin(CallKind.PROBE, context, peer, tag, 0);
    try {
      engine.probe(peer, context, tag, envelope);
    } finally {
      recorder.done(begun, 0, envelope.peer(), envelope.tag(), envelope.bytes());
    }
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    boolean found = engine.iprobe(peer, context, tag, envelope);
    if (found && recorder.isOfProgram(context)) {
      recorder.done(
          recorder.begin(CallKind.PROBE, context, envelope.peer(), envelope.tag(), envelope.bytes()));
    }
    return found;
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    if (!recorder.isOfProgram(context)) {
      return engine.mprobe(peer, context, tag, envelope);
    }
    long begun = recorder.begin(CallKind.MPROBE, context, peer, tag, 0);
    try {
      return new ObservedMatch(engine.mprobe(peer, context, tag, envelope), begun + 1, context, envelope);
    } finally {
      recorder.done(begun, begun + 1, envelope.peer(), envelope.tag(), envelope.bytes());
    }
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    Matched matched = engine.improbe(peer, context, tag, envelope);
    if (matched == null || !recorder.isOfProgram(context)) {
      return matched;
    }
    long begun = recorder.begin(CallKind.MPROBE, context, envelope.peer(), envelope.tag(), envelope.bytes());
    recorder.done(begun, begun + 1);
    return new ObservedMatch(matched, begun + 1, context, envelope);
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    Matched matched = engine.claim(peer, context, tag, envelope);
    return matched == null || !recorder.isOfProgram(context) ? matched
        : new ObservedMatch(matched, 0, context, envelope);
  }

  /** A matched message, with what its receive is to show; its number is 0 where no probe is shown. */
  private record ObservedMatch(Matched matched, long number, long context, int peer, int tag, long bytes)
      implements Matched {
    ObservedMatch(Matched matched, long number, long context, Envelope envelope) {
      this(matched, number, context, envelope.peer(), envelope.tag(), envelope.bytes());
    }
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    if (!(message instanceof ObservedMatch known)) {
      return engine.imrecv(message, kind, owner, offset, count, plan);
    }
    CallKind call = known.number == 0 ? CallKind.IRECV : CallKind.MRECV;
    long begun = recorder.begin(call, known.context, known.peer, known.tag, known.bytes);
    long number = known.number == 0 ? begun + 1 : known.number;
    Operation started = null;
    try {
      started = engine.imrecv(known.matched, kind, owner, offset, count, plan);
      return started;
    } finally {
      recorder.done(begun, marked(started, number - 1));
    }
  }

  // ---- waits

  @Override
  public void await(Operation operation) {
    if (operation.mark() == 0 && recorder.isInside()) {
      engine.await(operation);
      return;
    }
    long begun = recorder.begin(CallKind.WAIT, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    try {
      engine.await(operation);
    } finally {
      ended(begun, operation);
    }
  }

  /** Records the end of a wait, with the operation that it has completed. */
  private void ended(long begun, Operation operation) {
    long mark = operation.mark();
    if (mark == 0 || !operation.isDone()) {
      recorder.done(begun);
      return;
    }
    operation.mark(0);
    engine.ended(operation);
    Envelope envelope = new Envelope();
    operation.envelope(envelope);
    recorder.done(begun, mark, envelope.peer(), envelope.tag(), envelope.bytes());
  }

  @Override
  public void ended(Operation operation) {
    ended(recorder.begin(CallKind.WAIT, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0), operation);
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    if (operation.mark() == 0 && recorder.isInside()) {
      return engine.awaitFor(operation, nanos);
    }
    long begun = recorder.begin(CallKind.WAIT, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    try {
      return engine.awaitFor(operation, nanos);
    } finally {
      ended(begun, operation);
    }
  }

  /** Records the wait with the first operation that it has completed; the requests of the others end later. */
  @Override
  public void awaitAny(Operation[] operations, int length) {
    if (recorder.isInside()) {
      engine.awaitAny(operations, length);
      return;
    }
    long begun = recorder.begin(CallKind.WAIT, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    try {
      engine.awaitAny(operations, length);
    } finally {
      Operation first = null;
      for (int i = 0; i < length && first == null; i++) {
        Operation one = operations[i];
        first = one != null && one.mark() != 0 && one.isDone() ? one : null;
      }
      if (first == null) {
        recorder.done(begun);
      } else {
        ended(begun, first);
      }
    }
  }

  @Override
  public boolean test(Operation operation) {
    boolean done = engine.test(operation);
    if (done && operation.mark() != 0) {
      ended(recorder.begin(CallKind.TEST, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0), operation);
    }
    return done;
  }

  // ---- the end

  @Override
  public boolean flush(long nanos) {
    long begun = recorder.begin(CallKind.FINALIZE, 0, Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    try {
      return engine.flush(nanos);
    } finally {
      recorder.done(begun);
    }
  }

  @Override
  public void leave(boolean failed) {
    clocks.finish(failed);
    try {
      engine.leave(failed);
    } finally {
      folder.left(engine);
    }
  }
}
