// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/** An engine of which no call is expected. */
public abstract class StubEngine implements Engine {
  private static final class Completed extends Operation {
    Completed() {
      complete();
    }
  }

  private final int self;
  private final int size;
  private final Settings settings;
  private final Operation completed = new Completed();

  public StubEngine(int self, int size, Settings settings) {
    this.self = self;
    this.size = size;
    this.settings = settings;
  }

  private static MpiException unexpected() {
    return new MpiException(ErrorClass.ERR_UNSUPPORTED_OPERATION, "an unexpected call of the engine");
  }

  @Override
  public final int self() {
    return self;
  }

  @Override
  public final int peers() {
    return size;
  }

  @Override
  public final Settings settings() {
    return settings;
  }

  @Override
  public void failCall(long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] peers) {}

  @Override
  public final Operation completed() {
    return completed;
  }

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    throw unexpected();
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    throw unexpected();
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    throw unexpected();
  }

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public boolean trySend(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    throw unexpected();
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    throw unexpected();
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    throw unexpected();
  }

  @Override
  public void release(Operation operation) {
    throw unexpected();
  }

  @Override
  public void wakeWaiters() {
    throw unexpected();
  }

  @Override
  public boolean hasProgressThread() {
    throw unexpected();
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    throw unexpected();
  }

  @Override
  public void progress() {
    throw unexpected();
  }

  @Override
  public boolean test(Operation operation) {
    throw unexpected();
  }

  @Override
  public void await(Operation operation) {
    throw unexpected();
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    throw unexpected();
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    throw unexpected();
  }

  @Override
  public void register(Operation operation) {
    throw unexpected();
  }

  @Override
  public void opened(Channel channel) {}

  @Override
  public boolean flush(long nanos) {
    return true;
  }

  @Override
  public void awaitQuiet(Channel channel) {
    throw unexpected();
  }

  @Override
  public long claimContexts(int count) {
    throw unexpected();
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    throw unexpected();
  }

  @Override
  public String describe() {
    return getClass().getSimpleName();
  }

  @Override
  public void abort(int code, String reason) {
    throw unexpected();
  }

  @Override
  public void leave(boolean failed) {}

  @Override
  public Optional<String> endReason() {
    return Optional.empty();
  }
}
