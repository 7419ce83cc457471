// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.account.AccountBlock;
import org.ffmpi.shm.diagnosis.Diagnosis;
import org.ffmpi.shm.diagnosis.JobState;
import org.ffmpi.shm.match.PostedReceive;
import org.ffmpi.shm.memory.SharedHeapArena;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.JobAbort;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.shm.progress.ProgressThread;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.shm.progress.RankProgress;
import org.ffmpi.shm.progress.RankRuntime;
import org.ffmpi.shm.progress.WaitOptions;
import org.ffmpi.shm.progress.Waiting;
import org.ffmpi.shm.protocol.CallFailure;
import org.ffmpi.shm.protocol.CompletedOperation;
import org.ffmpi.shm.protocol.Endpoint;
import org.ffmpi.shm.protocol.Probing;
import org.ffmpi.shm.protocol.RankTraffic;
import org.ffmpi.shm.protocol.Receiving;
import org.ffmpi.shm.protocol.SendOp;
import org.ffmpi.shm.protocol.Sending;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.MemoryShortage;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.survive.JobSurvival;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Gauge;
import org.ffmpi.spi.Incidents;
import org.ffmpi.spi.LeftMessage;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Meetings;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.Survival;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;
import org.ffmpi.spi.WorkReport;

/**
 * The shared-memory engine of one rank. It passes each call of the port to the part that does the work. No part knows
 * this class; {@link EngineStarter} makes them all. This file is long because the port has many calls.
 *
 * <p>A small message goes {@link Sending} → {@code Outbound} → {@code RingProducer}, and comes out of the ring by
 * {@link Receiving} → {@code Inbound} if nothing competes with it, otherwise by {@link RankProgress} → {@link
 * RankTraffic} → {@code Inbound} → {@code Delivery}. The state machine is in
 * {@code docs/decisions/0003-protocols.md}.
 */
public final class ShmEngine implements Engine {
  private static final long FAILED_LEAVE_NANOS = 200_000_000;

  /** Bound of the polls for what has come before the end, so that a peer that still sends does not hold it. */
  private static final int LAST_POLLS = 1_000;

  /** Values of {@link Measure#RANK_STATE}. */
  private static final int ACTIVE = Measure.RANK_STATE.states().indexOf("active");

  private static final int WAITING = Measure.RANK_STATE.states().indexOf("waiting");
  private static final int LEFT = Measure.RANK_STATE.states().indexOf("left");

  /** The settings that waits read anew. */
  private static final Set<Setting<?>> CHANGEABLE = Set.of(WaitOptions.SPIN, WaitOptions.YIELD);

  final Endpoint endpoint;
  final RankTraffic traffic;
  private final JobSegment segment;

  /** Replaced when a setting changes that may change during a run. */
  private volatile Settings settings;

  private final RankRuntime runtime;
  private final Sending sending;
  private final Receiving receiving;
  private final Probing probing;
  private final RankProgress progress;
  private final Waiting waiting;
  private final JobAbort end;
  private final RankLock lock;
  private final OpenChannels channels;

  /** Null in a job that ends with its first dead rank, as the next. */
  private final BrokenChannels broken;

  private final JobSurvival survival;
  private final SharedHeapArena heap;
  private final JobMemory memory;

  /** Null without a progress thread. */
  private final ProgressThread progressThread;

  /** Null before the rank first meets others. */
  private ShmMeetings meetings;

  /** The identities of all peers, saved when this rank leaves; the segment may be unmapped afterwards. */
  private volatile long[] identities;

  ShmEngine(
      Endpoint endpoint, Settings settings, RankRuntime runtime, RankTraffic traffic, Sending sending,
      Receiving receiving, Probing probing, RankProgress progress, Waiting waiting, JobAbort end, RankLock lock,
      OpenChannels channels, BrokenChannels broken, JobSurvival survival, SharedHeapArena heap, JobMemory memory,
      ProgressThread progressThread) {
    this.endpoint = endpoint;
    this.segment = endpoint.segment();
    this.settings = settings;
    this.runtime = runtime;
    this.traffic = traffic;
    this.sending = sending;
    this.receiving = receiving;
    this.probing = probing;
    this.progress = progress;
    this.waiting = waiting;
    this.end = end;
    this.lock = lock;
    this.channels = channels;
    this.broken = broken;
    this.survival = survival;
    this.heap = heap;
    this.memory = memory;
    this.progressThread = progressThread;
  }

  @Override
  public int self() {
    return endpoint.self();
  }

  @Override
  public int peers() {
    return segment.ranks();
  }

  @Override
  public int node(int peer) {
    return segment.nodes().node(peer);
  }

  @Override
  public Settings settings() {
    return settings;
  }

  // ---------------------------------------------------------------- tools

  @Override
  public Gauge gauge(Measure measure) {
    Gauge ofTraffic = traffic.gauge(measure);
    return ofTraffic != null ? ofTraffic : switch (measure) {
      case RANK_STATE -> i -> lock.isClosed() ? LEFT : waiting.isWaiting() ? WAITING : ACTIVE;
      case PARKS -> i -> waiting.counts().parks();
      case WAKES -> i -> endpoint.wakeups().count();
      case WAIT_TIME -> waiting.counts().time();
      case HEAP_USED -> i -> heap.usedBytes();
      case HEAP_PEAK -> Gauge.highest(heap.marks(), i -> heap.usedBytes());
      case HEAP_BLOCKS -> i -> heap.usedBlocks();
      case SEGMENT_LIMIT -> i -> segment.limit();
      default -> null;
    };
  }

  @Override
  public Incidents incidents() {
    return endpoint.incidents();
  }

  @Override
  public synchronized boolean change(Setting<?> setting, String text) {
    if (!CHANGEABLE.contains(setting)) {
      return false;
    }
    Settings changed = settings.with(setting.name(), text);
    waiting.configure(WaitOptions.of(changed, peers()));
    settings = changed;
    return true;
  }

  // ---------------------------------------------------------------- messages

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    sending.send(mode, kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public String protocol(int kind, Object owner, long offset, long count, Plan plan, int peer) {
    return sending.protocol(kind, owner, offset, count, plan, peer);
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return sending.isend(mode, kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public boolean trySend(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return sending.trySend(kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    receiving.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
  }

  @Override
  public Operation irecv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return receiving.irecv(kind, owner, offset, count, plan, peer, context, tag);
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    return receiving.irecv(memory, plan, peer, context, tag);
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    return receiving.imrecv(message, kind, owner, offset, count, plan);
  }

  @Override
  public void failCall(long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] peers) {
    CallFailure failure = new CallFailure(self(), context, errorClass, cause, causePeer);
    if (!segment.isEnded() && receiving.failCall(failure, tag)) {
      for (int peer : peers) {
        if (peer != self()) {
          sending.sendFailure(peer, failure, tag);
        }
      }
    }
  }

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    probing.probe(peer, context, tag, envelope);
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    progress();
    return probing.iprobe(peer, context, tag, envelope);
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    return probing.mprobe(peer, context, tag, envelope);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    progress();
    return probing.improbe(peer, context, tag, envelope);
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    return probing.improbe(peer, context, tag, envelope);
  }

  // ---------------------------------------------------------------- progress

  @Override
  public Operation completed() {
    return CompletedOperation.INSTANCE;
  }

  @Override
  public void release(Operation op) {
    op.release();
  }

  @Override
  public void progress() {
    if (progress.make()) {
      waiting.wakeConditionWaiters(); // this thread may have consumed messages for which they wait
    }
  }

  @Override
  public boolean test(Operation op) {
    if (op.isDone()) {
      return true;
    }
    progress();
    if (op.advance() && op.isDone()) {
      progress.forget(op);
    }
    return op.isDone();
  }

  @Override
  public void await(Operation op) {
    if (op instanceof PostedReceive || op instanceof SendOp) {
      waiting.awaitOwn(op);
    } else {
      waiting.awaitParts(op);
    }
  }

  @Override
  public boolean awaitFor(Operation op, long nanos) {
    return waiting.until(op::isDone, op, nanos);
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    waiting.until(new AnyOf(operations, length), null, Long.MAX_VALUE);
  }

  /** A wait for the first of several operations. */
  private record AnyOf(Operation[] operations, int length) implements BooleanSupplier, WaitSubject {
    @Override
    public boolean getAsBoolean() {
      for (int i = 0; i < length; i++) {
        Operation op = operations[i];
        if (op != null && (op.isDone() || op.advance() && op.isDone())) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void describe(WaitNote note) {
      note.kind(WaitNote.Kind.ANY);
    }
  }

  @Override
  public void register(Operation op) {
    progress.register(op);
  }

  @Override
  public void wakeWaiters() {
    waiting.wakeWaiters();
  }

  @Override
  public boolean hasProgressThread() {
    return progressThread != null;
  }

  @Override
  public void whenDone(Operation op, Runnable action) {
    if (progressThread == null) {
      throw new IllegalStateException("no progress thread: " + RunSettings.PROGRESS.name());
    }
    progressThread.watch(op, action);
  }

  // ---------------------------------------------------------------- memory and channels

  @Override
  public long claimContexts(int count) {
    return segment.claimNumbers(count) * Channel.CONTEXTS;
  }

  @Override
  public void opened(Channel channel) {
    channels.add(channel);
    if (broken != null) {
      broken.checkRevoked(channel);
    }
  }

  @Override
  public void awaitQuiet(Channel channel) {
    long first = channel.pointToPoint();
    waiting.until(
        () -> progress.isQuiet(context -> Channel.numberOf(context) == first), null, Long.MAX_VALUE);
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    end.check();
    return heap.allocate(bytes, alignment, arena);
  }

  @Override
  public MemorySegment allocateCollecting(long bytes, long alignment, Arena arena) {
    end.check();
    return heap.allocateCollecting(bytes, alignment, arena);
  }

  @Override
  public SharedMemory sharedMemory() {
    return memory;
  }

  @Override
  public Survival survival() {
    return survival;
  }

  @Override
  public synchronized Meetings meetings() {
    if (meetings == null) {
      meetings = new ShmMeetings(this, segment, settings, end, runtime);
    }
    return meetings;
  }

  @Override
  public WorkReport workReport() {
    return segment.isWorkShown() ? new SharedWorkReport(segment, self()) : null;
  }

  /** Groups outlive this engine, and its memory. */
  @Override
  public long identity(int peer) {
    if (segment.tryRetain()) {
      try {
        return segment.identity(peer);
      } finally {
        segment.release();
      }
    }
    return identities[peer];
  }

  @Override
  public boolean hasJoined(int peer) {
    if (segment.tryRetain()) {
      try {
        return segment.state(peer) != RankLayout.EMPTY;
      } finally {
        segment.release();
      }
    }
    return true;
  }

  /** Returns the progress of this rank, for the other engines that it has. */
  RankProgress rankProgress() {
    return progress;
  }

  @Override
  public int[] boundTo() {
    return runtime.boundTo();
  }

  @Override
  public String describe() {
    if (segment.nodes().count() > 1 || !runtime.describe().isEmpty()) {
      return "ffmpi shared-memory engine, " + peers() + " ranks on " + segment.nodes().count()
          + (segment.nodes().count() == 1 ? " node" : " nodes") + runtime.describe();
    }
    String ranks = runtime.inThreads() ? " ranks in threads" : " ranks in processes";
    return "ffmpi shared-memory engine, " + peers() + ranks;
  }

  // ---------------------------------------------------------------- the end

  @Override
  public boolean isNews(Throwable failure) {
    if (survival != null || !segment.tryRetain()) {
      return true;
    }
    try {
      return MemoryShortage.isBehind(failure) ? segment.claimShortage()
          : !(failure instanceof MpiException) || !segment.hasShortage();
    } finally {
      segment.release();
    }
  }

  @Override
  public boolean isRepeated(int stack) {
    if (!segment.tryRetain()) {
      return false;
    }
    try {
      return segment.isRepeatedFailure(stack);
    } finally {
      segment.release();
    }
  }

  @Override
  public void setThread(Thread thread) {
    runtime.setThread(thread);
  }

  @Override
  public void markFailurePrinted() {
    runtime.markFailurePrinted();
  }

  @Override
  public void abort(int code, String reason) {
    end.abort(code, reason);
  }

  @Override
  public void die(int code, String reason) {
    if (survival == null) {
      abort(code, reason);
      return;
    }
    if (!segment.tryRetain()) {
      return; // all ranks have left
    }
    try {
      if (!runtime.inThreads()) { // others learn of the death below; threads still have to leave
        segment.ends().markDead(self(), code);
        endpoint.wakeups().wakeAll();
        runtime.onAborted(true, code == 0 ? 1 : code, reason);
      }
    } finally {
      segment.release();
    }
  }

  @Override
  public Optional<String> endReason() {
    return end.reason();
  }

  @Override
  public String diagnosis() {
    if (!segment.tryRetain()) {
      return "";
    }
    try {
      runtime.updatePlaces();
      return Diagnosis.report(JobState.read(segment), System.nanoTime());
    } finally {
      segment.release();
    }
  }

  /** A wait for the end of all sends. */
  private record Flushed(RankTraffic traffic, JobSegment segment) implements BooleanSupplier, WaitSubject {
    @Override
    public boolean getAsBoolean() {
      return !traffic.hasSends() || segment.isEnded();
    }

    @Override
    public void describe(WaitNote note) {
      note.kind(WaitNote.Kind.FLUSH);
    }
  }

  @Override
  public boolean flush(long nanos) {
    try {
      return waiting.until(new Flushed(traffic, segment), null, nanos);
    } catch (MpiException e) {
      return true; // the job has ended, and no rank waits for these messages
    }
  }

  @Override
  public String unsent() {
    return traffic.unsent();
  }

  @Override
  public void done(boolean done) {
    if (!lock.isClosed()) {
      segment.publishState(self(), done ? RankLayout.LEAVING : RankLayout.JOINED);
    }
  }

  @Override
  public boolean hasActivePeers() {
    return end.hasActivePeers();
  }

  @Override
  public void leave(boolean failed) {
    if (lock.isClosed()) {
      return;
    }
    segment.publishState(self(), RankLayout.LEAVING);
    flush(failed ? FAILED_LEAVE_NANOS : Long.MAX_VALUE);
    traffic.announceLeaving(failed);
    flush(failed ? FAILED_LEAVE_NANOS : Long.MAX_VALUE);
    if (!failed) {
      runtime.awaitPeers(progress::make);
      reportUnfinished();
    }
    end.beginLeaving();
    endpoint.wakeups().wake(segment.rankBlock(self()));
    if (progressThread != null) {
      progressThread.close();
    }
    endpoint.wakeups().close();
    progress.close();
    traffic.close();
    if (progressThread != null) {
      progressThread.join();
    }
    segment.publishState(self(), failed ? RankLayout.DEAD : RankLayout.FINALIZED);
    endpoint.wakeups().wakeAll();
    end.saveReason();
    long[] known = new long[peers()];
    for (int peer = 0; peer < known.length; peer++) {
      known[peer] = segment.identity(peer);
    }
    identities = known;
    runtime.onLeft();
  }

  @Override
  public List<LeftMessage> unreceived() {
    for (int polls = 0; polls < LAST_POLLS && progress.make(); polls++) {
      Thread.onSpinWait();
    }
    return traffic.unreceived();
  }

  @Override
  public boolean waits() {
    return AccountBlock.hasWaits(segment.accountBlock(self()));
  }

  @Override
  public boolean isLeaving(int peer) {
    int state = segment.state(peer);
    return state == RankLayout.LEAVING || state == RankLayout.FINALIZED;
  }

  @Override
  public boolean doAllOthersWait() {
    for (int peer = 0; peer < peers(); peer++) {
      int state = segment.state(peer);
      if (peer != self() && (state == RankLayout.EMPTY
          || state == RankLayout.JOINED && !AccountBlock.hasWaits(segment.accountBlock(peer)))) {
        return false;
      }
    }
    return true;
  }

  /** Prints what the program leaves behind, unless that may come of the end of the job or of a rank. */
  private void reportUnfinished() {
    try {
      for (int polls = 0; polls < LAST_POLLS && progress.make(); polls++) {
        Thread.onSpinWait();
      }
    } catch (MpiException e) {
      return; // the job has ended
    }
    if (!segment.isEnded() && !hasDeadPeer()) {
      traffic.unfinished().forEach(line -> System.err.println("ffmpi: " + line));
    }
  }

  private boolean hasDeadPeer() {
    for (int peer = 0; peer < peers(); peer++) {
      if (segment.state(peer) == RankLayout.DEAD) {
        return true;
      }
    }
    return false;
  }
}
