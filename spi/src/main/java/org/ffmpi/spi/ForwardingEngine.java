// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.plan.Plan;

/**
 * An engine that passes every call on to another one: the base of {@linkplain EngineLayer layers}, which change some
 * of the calls. Called by the threads that call an engine; makes the progress that the other engine makes.
 */
@SuppressWarnings("exports") // plans cross this port only between our own modules, to which their package is exported
public abstract class ForwardingEngine implements Engine {
  /** The engine that does the work. */
  protected final Engine engine;

  /**
   * Creates a layer.
   *
   * @param engine the engine that does the work
   */
  protected ForwardingEngine(Engine engine) {
    this.engine = engine;
  }

  /**
   * Returns the engine that does the work, which may be a layer too.
   *
   * @return the engine below
   */
  public final Engine below() {
    return engine;
  }

  @Override
  public int self() {
    return engine.self();
  }

  @Override
  public int peers() {
    return engine.peers();
  }

  @Override
  public int node(int peer) {
    return engine.node(peer);
  }

  @Override
  public Settings settings() {
    return engine.settings();
  }

  @Override
  public Gauge gauge(Measure measure) {
    return engine.gauge(measure);
  }

  @Override
  public Incidents incidents() {
    return engine.incidents();
  }

  @Override
  public boolean change(Setting<?> setting, String text) {
    return engine.change(setting, text);
  }

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    engine.send(mode, kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return engine.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return engine.trySend(kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    engine.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return engine.irecv(kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    return engine.irecv(memory, plan, peer, context, tag);
  }

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    engine.probe(peer, context, tag, envelope);
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    return engine.iprobe(peer, context, tag, envelope);
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    return engine.mprobe(peer, context, tag, envelope);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    return engine.improbe(peer, context, tag, envelope);
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    return engine.claim(peer, context, tag, envelope);
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    return engine.imrecv(message, kind, owner, offset, count, plan);
  }

  @Override
  public void failCall(long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] peers) {
    engine.failCall(context, tag, errorClass, cause, causePeer, peers);
  }

  @Override
  public Operation completed() {
    return engine.completed();
  }

  @Override
  public void release(Operation operation) {
    engine.release(operation);
  }

  @Override
  public void progress() {
    engine.progress();
  }

  @Override
  public boolean test(Operation operation) {
    return engine.test(operation);
  }

  @Override
  public void await(Operation operation) {
    engine.await(operation);
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    engine.awaitAny(operations, length);
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    return engine.awaitFor(operation, nanos);
  }

  @Override
  public void register(Operation operation) {
    engine.register(operation);
  }

  @Override
  public void wakeWaiters() {
    engine.wakeWaiters();
  }

  @Override
  public boolean hasProgressThread() {
    return engine.hasProgressThread();
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    engine.whenDone(operation, action);
  }

  @Override
  public long claimContexts(int count) {
    return engine.claimContexts(count);
  }

  @Override
  public void opened(Channel channel) {
    engine.opened(channel);
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    return engine.allocateShared(bytes, alignment, arena);
  }

  @Override
  public MemorySegment allocateCollecting(long bytes, long alignment, Arena arena) {
    return engine.allocateCollecting(bytes, alignment, arena);
  }

  @Override
  public SharedMemory sharedMemory() {
    return engine.sharedMemory();
  }

  @Override
  public Survival survival() {
    return engine.survival();
  }

  @Override
  public Meetings meetings() {
    Meetings meetings = engine.meetings();
    return meetings == null ? null : new OwnMeetings(meetings, this, engine);
  }

  @Override
  public WorkReport workReport() {
    return engine.workReport();
  }

  @Override
  public Choices choices() {
    return engine.choices();
  }

  @Override
  public CallObserver observer() {
    return engine.observer();
  }

  @Override
  public void ended(Operation operation) {
    engine.ended(operation);
  }

  @Override
  public String protocol(int kind, Object owner, long offset, long count, Plan plan, int peer) {
    return engine.protocol(kind, owner, offset, count, plan, peer);
  }

  @Override
  public Lifetimes lifetimes() {
    return engine.lifetimes();
  }

  @Override
  public List<LeftMessage> unreceived() {
    return engine.unreceived();
  }

  @Override
  public boolean waits() {
    return engine.waits();
  }

  @Override
  public boolean isLeaving(int peer) {
    return engine.isLeaving(peer);
  }

  @Override
  public boolean doAllOthersWait() {
    return engine.doAllOthersWait();
  }

  @Override
  public WindowWatch watch(Channel channel, WindowWatch.Parts parts) {
    return engine.watch(channel, parts);
  }

  @Override
  public long identity(int peer) {
    return engine.identity(peer);
  }

  @Override
  public boolean hasJoined(int peer) {
    return engine.hasJoined(peer);
  }

  @Override
  public void die(int code, String reason) {
    engine.die(code, reason);
  }

  @Override
  public int[] boundTo() {
    return engine.boundTo();
  }

  @Override
  public String describe() {
    return engine.describe();
  }

  @Override
  public void markFailurePrinted() {
    engine.markFailurePrinted();
  }

  @Override
  public void abort(int code, String reason) {
    engine.abort(code, reason);
  }

  @Override
  public boolean flush(long nanos) {
    return engine.flush(nanos);
  }

  @Override
  public String unsent() {
    return engine.unsent();
  }

  @Override
  public void done(boolean done) {
    engine.done(done);
  }

  @Override
  public boolean hasActivePeers() {
    return engine.hasActivePeers();
  }

  @Override
  public void awaitQuiet(Channel channel) {
    engine.awaitQuiet(channel);
  }

  @Override
  public void leave(boolean failed) {
    engine.leave(failed);
  }

  @Override
  public boolean isNews(Throwable failure) {
    return engine.isNews(failure);
  }

  @Override
  public boolean isRepeated(int stack) {
    return engine.isRepeated(stack);
  }

  @Override
  public void setThread(Thread thread) {
    engine.setThread(thread);
  }

  @Override
  public String diagnosis() {
    return engine.diagnosis();
  }

  @Override
  public Optional<String> endReason() {
    return engine.endReason();
  }

  /** The meetings of a process whose engine is a layer; they know the engine below it. */
  private record OwnMeetings(Meetings meetings, Engine layer, Engine below) implements Meetings {
    @Override
    public boolean inThreads() {
      return meetings.inThreads();
    }

    @Override
    public boolean isWithinJvm(Engine engine) {
      return meetings.isWithinJvm(known(engine));
    }

    @Override
    public boolean callLauncher(long port) {
      return meetings.callLauncher(port);
    }

    @Override
    public String make(int processes, boolean withinJvm) {
      return meetings.make(processes, withinJvm);
    }

    @Override
    public void discard(String place) {
      meetings.discard(place);
    }

    @Override
    public Engine enter(String place, int self, int processes) {
      return meetings.enter(place, self, processes);
    }

    @Override
    public boolean haveEnded() {
      return meetings.haveEnded();
    }

    @Override
    public void leave(Engine engine, boolean failed) {
      meetings.leave(known(engine), failed);
    }

    private Engine known(Engine engine) {
      return engine == layer ? below : engine;
    }
  }
}
