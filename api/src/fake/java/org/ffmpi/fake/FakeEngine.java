// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.fake;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * An engine that only records its calls and returns what a test has set. Waiting for an operation that no test has
 * completed is a failure; after the end of the world it fails as with a real engine.
 */
public final class FakeEngine implements Engine {
  /** The arguments of a send, receive or shared allocation. */
  public record Call(
      String name, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {}

  /** Calls in order; not recorded while this is null. */
  public List<Call> calls = new ArrayList<>();

  /** Operations started, in order. */
  public final List<FakeOperation> started = new ArrayList<>();

  /** Whether nonblocking sends are over when they start. */
  public boolean eager = true;

  /** Whether started operations can be cancelled. */
  public boolean cancellable = true;

  /** The exception of the next blocking call, once. */
  public RuntimeException failNext;

  /** The exception of every blocking send. */
  public RuntimeException failSends;

  /** Sender of the message that probes and receives find. */
  public int foundPeer;

  /** Tag of the message that probes and receives find. */
  public int foundTag;

  /** Length of the message that probes and receives find. */
  public long foundBytes;

  /** Whether iprobe finds a message. */
  public boolean found = true;

  /** Runs at each wait or progress. */
  public Runnable onProgress = () -> {};

  /** How the rank left: null, or the flag it was left with. */
  public volatile Boolean leftFailed;

  /** Exit code of an abort of this rank, 0 without one. */
  public volatile int abortCode;
  private long nextContext = Channel.FIRST_FREE_CONTEXT;

  private final int self;
  private final int peers;
  private final Settings settings;
  private final AtomicReference<String> ended;
  private final FakeOperation completed = new FakeOperation(false);

  /** Creates the engine of one rank; {@code ended} is shared by the ranks of a world. */
  public FakeEngine(int self, int peers, Settings settings, AtomicReference<String> ended) {
    this.self = self;
    this.peers = peers;
    this.settings = settings;
    this.ended = ended;
    completed.finish();
  }

  /** Returns the last call of all. */
  public Call last() {
    return calls.getLast();
  }

  private void record(
      String name, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    if (calls != null) {
      calls.add(new Call(name, kind, owner, offset, count, plan, peer, context, tag));
    }
    throwIfTold();
  }

  private void throwIfTold() {
    RuntimeException failure = failNext;
    if (failure != null) {
      failNext = null;
      throw failure;
    }
  }

  private FakeOperation start() {
    FakeOperation operation = new FakeOperation(cancellable);
    started.add(operation);
    return operation;
  }

  @Override
  public int self() {
    return self;
  }

  @Override
  public int peers() {
    return peers;
  }

  @Override
  public Settings settings() {
    return settings;
  }

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    record(mode == SYNCHRONOUS ? "ssend" : "send", kind, owner, offset, count, plan, peer, context, tag);
    if (failSends != null) {
      throw failSends;
    }
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    record(mode == SYNCHRONOUS ? "issend" : "isend", kind, owner, offset, count, plan, peer, context, tag);
    return eager ? completed : start();
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (envelope != null) {
      envelope.set(foundPeer, foundTag, foundBytes, false);
    }
    record("recv", kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public Operation irecv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    record("irecv", kind, owner, offset, count, plan, peer, context, tag);
    return start();
  }

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    record("probe", -1, null, 0, 0, null, peer, context, tag);
    envelope.set(foundPeer, foundTag, foundBytes, false);
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    record("iprobe", -1, null, 0, 0, null, peer, context, tag);
    if (found) {
      envelope.set(foundPeer, foundTag, foundBytes, false);
    }
    return found;
  }

  @Override
  public boolean trySend(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    record("trySend", kind, owner, offset, count, plan, peer, context, tag);
    return eager;
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    record("mprobe", -1, null, 0, 0, null, peer, context, tag);
    envelope.set(foundPeer, foundTag, foundBytes, false);
    return new FakeMessage(foundPeer, foundTag, context);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    return iprobe(peer, context, tag, envelope) ? new FakeMessage(foundPeer, foundTag, context) : null;
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    return improbe(peer, context, tag, envelope);
  }

  /** A message that a matched probe has found. */
  public record FakeMessage(int peer, int tag, long context) implements Matched {}

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    FakeMessage taken = (FakeMessage) message;
    record("imrecv", kind, owner, offset, count, plan, taken.peer(), taken.context(), taken.tag());
    return start();
  }

  @Override
  public void release(Operation operation) {}

  @Override
  public void wakeWaiters() {}

  @Override
  public boolean hasProgressThread() {
    return false;
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    throw new IllegalStateException("no progress thread");
  }

  @Override
  public Operation completed() {
    return completed;
  }

  @Override
  public void progress() {
    throwIfTold();
    onProgress.run();
  }

  @Override
  public boolean test(Operation operation) {
    progress();
    return operation.isDone();
  }

  @Override
  public void await(Operation operation) {
    progress();
    if (!operation.isDone()) {
      throw new AssertionError("this would wait for ever");
    }
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    progress();
    for (int i = 0; i < length; i++) {
      if (operations[i] != null && operations[i].isDone()) {
        return;
      }
    }
    throw new AssertionError("this would wait for ever");
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    progress();
    return operation.isDone();
  }

  @Override
  public void register(Operation operation) {
    started.add((FakeOperation) operation);
  }

  @Override
  public void opened(Channel channel) {}

  @Override
  public void failCall(long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] peers) {}

  @Override
  public boolean flush(long nanos) {
    return true;
  }

  @Override
  public long claimContexts(int count) {
    long taken = nextContext;
    nextContext += count;
    return taken;
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    record("allocate", -1, arena, 0, bytes, null, -1, 0, 0);
    return (arena == null ? Arena.ofAuto() : arena).allocate(bytes, alignment);
  }

  @Override
  public String describe() {
    return "fake engine";
  }

  @Override
  public void abort(int code, String reason) {
    abortCode = code == 0 ? 1 : code;
    ended.compareAndSet(null, reason);
    if (Boolean.getBoolean("ffmpi.test.process")) {
      System.err.println("aborted: " + reason);
      Runtime.getRuntime().halt(abortCode);
    }
  }

  @Override
  public void awaitQuiet(Channel channel) {}

  @Override
  public void leave(boolean failed) {
    leftFailed = failed;
    if (Boolean.getBoolean("ffmpi.test.process")) {
      System.err.println("left " + (failed ? "failed" : "well"));
    }
  }

  @Override
  public Optional<String> endReason() {
    return Optional.ofNullable(ended.get());
  }
}
