// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.function.Consumer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * The shared-memory engine of one rank.
 *
 * <p>Locks, in the order in which they may be taken: the engine's {@link #lock} (matching, receiving, polling), a
 * peer's {@link Outbound}, the {@link Offers}. The {@link #poller} role is taken before all of them. The segment is
 * touched only by a thread that holds one of these, so that {@link #leave}, which closes all of them, may give the
 * mapping up.
 *
 * <p>The way of a small message: {@link #send} → {@link Outbound#pushInline} → {@code RingProducer}; on the other side
 * {@link #recv} → {@link Inbound#takeExpected} if it is all that is waited for, otherwise {@link #pollLocked} →
 * {@link Inbound#drain} → {@link Receiving#onWhole}. The state machine is in
 * {@code docs/decisions/0003-protocols.md}.
 */
final class ShmEngine implements Engine {
  private static final Operation COMPLETED = new CompletedOperation();
  private static final long LINE = 64;

  /** Memory that a peer may touch to read strewn data in place; measured, see docs/decisions/0003-protocols.md. */
  private static final long REACH = 1 << 20;

  private static final long FAILED_LEAVE_NANOS = 200_000_000;
  private static final VarHandle BACKLOGS;

  static {
    try {
      BACKLOGS = MethodHandles.lookup().findVarHandle(ShmEngine.class, "backlogs", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final JobSegment segment;
  final int self;
  final int peers;
  final long ownBlock;
  final EngineOptions options;
  final EngineLock lock = new EngineLock();
  final EngineLock poller = new EngineLock();
  final Offers offers;
  final TypeRecords types;
  final CrossMemory cross;
  final Receiving receiving;
  final Runnable linked;

  private final Consumer<SendOp> onMatched = this::startPipe;
  private final Consumer<SendOp> onDone = SendOp::finish;
  private final int oneChunk;
  private final Settings settings;
  private final RankHome home;
  private final Outbound[] outbound;
  private final Inbound[] inbound;
  private final Inbound[] active;
  private int activeCount;
  private int knownRings;
  private int turn;
  private int backlogs;

  /** This rank leaves: threads that still wait get an error. */
  private volatile boolean closing;

  private int pipesOut;
  private final Registered registered = new Registered();
  private final GonePeers gone;
  private final Waiting waiting;
  private final SharedHeapArena heap;

  ShmEngine(JobSegment segment, int self, Settings settings, RankHome home) {
    this.segment = segment;
    this.self = self;
    this.peers = segment.ranks();
    this.ownBlock = segment.rankBlock(self);
    this.settings = settings;
    this.home = home;
    this.options = EngineOptions.of(settings, peers);
    this.oneChunk = options.oneChunk();
    this.offers = new Offers(segment);
    this.types = new TypeRecords(segment);
    this.cross = new CrossMemory(home.inThreads());
    this.receiving = new Receiving(this);
    this.outbound = new Outbound[peers];
    for (int p = 0; p < peers; p++) {
      outbound[p] = new Outbound(this, p);
    }
    this.inbound = new Inbound[peers];
    this.active = new Inbound[peers];
    this.gone = new GonePeers(segment, self);
    this.linked = this::onLinked;
    this.waiting = new Waiting(this);
    this.heap = new SharedHeapArena(segment);
    segment.publishState(self, RankLayout.JOINED);
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

  // ---------------------------------------------------------------- sending

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (mode == STANDARD && bytes <= oneChunk && !isDirect(bytes, kind, offset)
        && pushSmall(kind, owner, offset, count, plan, bytes, peer, context, tag)) {
      return;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, false);
    if (op != null) {
      waiting.await(op);
      MpiException error = op.error();
      if (error != null) {
        throw error;
      }
      outbound[peer].putSpare(op);
    }
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    long bytes = count * plan.size();
    if (mode == STANDARD && bytes <= oneChunk && !isDirect(bytes, kind, offset)
        && pushSmall(kind, owner, offset, count, plan, bytes, peer, context, tag)) {
      return COMPLETED;
    }
    SendOp op = start(mode, kind, owner, offset, count, plan, bytes, peer, context, tag, true);
    return op == null ? COMPLETED : op;
  }

  private boolean isDirect(long bytes, int kind, long offset) {
    return bytes >= options.selector().directLimit() && kind == Memory.NATIVE && heap.contains(offset);
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
    if (!heap.contains(first) || !heap.contains(end - 1)) {
      return 0;
    }
    long touched = Math.min(end - first, bytes + LINE * Math.min(count * plan.runs(), REACH));
    return touched <= REACH || touched - bytes < bytes / 4 ? types.of(plan) : 0;
  }

  /** The short way of a small message; false when only {@link #start} can tell what to do. */
  private boolean pushSmall(
      int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag) {
    Outbound o = outbound[peer];
    if (!o.lock()) {
      throw left();
    }
    try {
      return bytes <= EnvelopeLayout.INLINE_BYTES
          ? o.pushInline(kind, owner, offset, count, plan, (int) bytes, context, tag)
          : o.pushWhole(kind, owner, offset, count, plan, (int) bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      wake(o.peerBlock);
      o.unlock();
    }
  }

  /** Starts a send; null when it has already ended well. */
  private SendOp start(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, int peer, long context, int tag,
      boolean cancellable) {
    if (peer == self) {
      return startSelf(mode, kind, owner, offset, count, plan, bytes, context, tag);
    }
    Outbound o = outbound[peer];
    if (!o.lock()) {
      throw left();
    }
    SendOp op = null;
    try {
      boolean isRun = plan.isRun(count);
      long layout = isRun ? 0 : layoutForPeers(bytes, kind, offset, count, plan);
      boolean readable = isRun ? kind == Memory.NATIVE && heap.contains(offset) : layout != 0;
      Protocol protocol = options.selector().choose(bytes, readable, o.isPressed());
      long sent = 0;
      if (mode == STANDARD && protocol.compareTo(Protocol.EAGER) <= 0 && !o.hasBacklog()) {
        if (protocol == Protocol.INLINE
            && o.pushInline(kind, owner, offset, count, plan, (int) bytes, context, tag)) {
          return null;
        }
        sent = o.pushEager(kind, owner, offset, count, plan, bytes, 0, context, tag);
        if (sent == bytes) {
          return null;
        }
      }
      op = cancellable ? new SendOp(this) : o.takeSpare();
      op.describe(mode, kind, owner, offset, count, plan, bytes, peer, context, tag);
      op.protocol = protocol;
      op.cancellable = cancellable;
      op.sent = Math.max(0, sent);
      if (protocol == Protocol.DIRECT) {
        op.layout = layout;
        op.pin = heap.pin(offset + plan.trueLowerBound());
      } else if (protocol == Protocol.PIPED) {
        op.readable = kind == Memory.NATIVE && isRun && options.isCross(bytes) && cross.mayOffer();
      }
      if (sent > 0 || o.hasBacklog() || !o.push(op)) {
        o.enqueue(op);
      } else if (o.isOver(op)) {
        return null; // the ring had room after all, and the receive was there if it had to be
      }
      return op;
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      wake(o.peerBlock);
      o.unlock();
    }
  }

  /** A message to oneself: small ones are buffered, large ones and synchronous ones wait for their receive. */
  private SendOp startSelf(
      int mode, int kind, Object owner, long offset, long count, Plan plan, long bytes, long context, int tag) {
    SendOp op = new SendOp(this);
    op.describe(mode, kind, owner, offset, count, plan, bytes, self, context, tag);
    op.protocol = Protocol.SELF;
    boolean copy = kind == Memory.CONFINED || bytes <= options.selector().eagerLimit();
    if (!lock.lock()) {
      throw left();
    }
    try {
      return receiving.onSelf(op, copy) ? null : op;
    } finally {
      unlock();
    }
  }

  boolean cancelSend(SendOp op) {
    if (op.protocol == Protocol.SELF) {
      return lock.lock() && cancelSelf(op);
    }
    Outbound o = outbound[op.peer];
    if (!o.lock()) {
      return false;
    }
    boolean taken;
    try {
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
      if (!receiving.withdrawSelf(op)) {
        return false;
      }
      op.cancelled = true;
      op.finish();
      return true;
    } finally {
      unlock();
    }
  }

  // ---------------------------------------------------------------- receiving

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    checkReceivable(count, plan);
    if (!lock.lock()) {
      throw left();
    }
    RecvOp op;
    try {
      if (peer >= 0 && receiving.isIdle()) {
        Inbound in = inbound[peer];
        if (in != null
            && in.takeExpected(
                waiting.firstLooks(), kind, owner, offset, count, plan, count * plan.size(), context, tag, envelope)) {
          return;
        }
      }
      op = receiving.takeSpare();
      op.describe(kind, owner, offset, count, plan, peer, context, tag);
      op.blocked = Thread.currentThread();
      receiving.start(op);
      if (!op.isDone()) {
        waiting.spinLocked(op);
      }
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      unlock();
    }
    if (!op.isDone()) {
      waiting.awaitAfterSpin(op);
    }
    MpiException error = op.error();
    if (envelope != null) {
      op.envelope(envelope);
    }
    receiving.putSpare(op);
    if (error != null) {
      throw error;
    }
  }

  @Override
  public Operation irecv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    checkReceivable(count, plan);
    RecvOp op = new RecvOp(this);
    op.describe(kind, owner, offset, count, plan, peer, context, tag);
    if (!lock.lock()) {
      throw left();
    }
    try {
      receiving.start(op);
    } finally {
      unlock();
    }
    return op;
  }

  /** Where types are checked, refuses a buffer of which two elements, or two parts of one, share a byte. */
  private void checkReceivable(long count, Plan plan) {
    if (options.checking() && plan.overlaps(count)) {
      throw new MpiException(
          ErrorClass.ERR_TYPE,
          "count = " + count + " elements whose entries overlap cannot be received: " + plan.size()
              + " bytes of data each, extent " + plan.extent() + ", true extent " + plan.trueExtent());
    }
  }

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    waiting.until(
        () -> {
          if (look(peer, context, tag, envelope)) {
            return true;
          }
          if (!gone.isEmpty() && gone.starves(context, peer)) {
            throw gone.receiveError(peer);
          }
          return false;
        },
        null, Long.MAX_VALUE);
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    checkEnded();
    pollOnce();
    return look(peer, context, tag, envelope);
  }

  private boolean look(int peer, long context, int tag, Envelope envelope) {
    if (!lock.lock()) {
      throw left();
    }
    try {
      Arrival a = receiving.peek(context, peer, tag);
      if (a != null) {
        envelope.set(a.peer, a.tag, a.total, false);
      }
      return a != null;
    } finally {
      unlock();
    }
  }

  // ---------------------------------------------------------------- progress

  @Override
  public Operation completed() {
    return COMPLETED;
  }

  @Override
  public void progress() {
    checkEnded();
    pollOnce();
  }

  @Override
  public boolean test(Operation op) {
    if (op.isDone()) {
      return true;
    }
    checkEnded();
    pollOnce();
    op.advance();
    return op.isDone();
  }

  @Override
  public void await(Operation op) {
    waiting.await(op);
  }

  @Override
  public boolean awaitFor(Operation op, long nanos) {
    return waiting.until(op::isDone, op, nanos);
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    waiting.until(
        () -> {
          for (int i = 0; i < length; i++) {
            Operation op = operations[i];
            if (op != null && (op.isDone() || op.advance() && op.isDone())) {
              return true;
            }
          }
          return false;
        },
        null, Long.MAX_VALUE);
  }

  @Override
  public void register(Operation op) {
    if (!registered.add(op)) {
      throw left();
    }
  }

  boolean hasRegistered() {
    return !registered.isEmpty();
  }

  /** Whether polling may find something. Only for the poller; racy in the harmless direction. */
  boolean hasWork() {
    for (int i = 0; i < activeCount; i++) {
      if (active[i].isReady()) {
        return true;
      }
    }
    return !offers.isEmpty() || receiving.hasTransfers() || pipesOut != 0 || backlogs != 0 || !registered.isEmpty()
        || RankLayout.getAcquireRings(ownBlock) != knownRings;
  }

  /** Makes a bounded amount of progress, unless another thread is at it; returns how many things moved. */
  int pollOnce() {
    int moved = 0;
    if (lock.tryLock()) {
      try {
        moved = pollLocked();
      } finally {
        unlock();
      }
    }
    if (!registered.isEmpty()) {
      int advanced = registered.advanceAll();
      if (advanced > 0) {
        wakeOwn(); // what is complete now may be what the sleeping poller waits for
      }
      moved += advanced;
    }
    return moved;
  }

  /** Polls on the way to sleep: without waking the sleeper that the caller is about to be. */
  boolean findsNothing() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return pollLocked() == 0;
    } finally {
      lock.unlock();
    }
  }

  /** The one place where everything moves. Called with the lock held. */
  int pollLocked() {
    int moved = 0;
    if (RankLayout.getAcquireRings(ownBlock) != knownRings) {
      openInbound();
    }
    int n = activeCount;
    for (int i = 0, p = turn; i < n; i++) {
      p = p >= n - 1 ? 0 : p + 1;
      moved += active[p].drain();
    }
    turn = turn >= n - 1 ? 0 : turn + 1;
    if (receiving.hasTransfers()) {
      moved += receiving.poll(active, n);
    }
    if (receiving.hasBound()) {
      moved += receiving.deliverBound();
    }
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

  /** Gives the lock back, and the rank's sleeping poller a reason to look: what this thread did may concern it. */
  void unlock() {
    wake(ownBlock); // before the lock goes: after it, a leaving thread may give the mapping up
    lock.unlock();
  }

  /** Wakes this rank's sleeping poller, under a lock since another thread may be leaving. */
  private void wakeOwn() {
    if (lock.tryLock()) {
      unlock();
    }
  }

  private void startPipe(SendOp op) {
    PipeSender pipe = outbound[op.peer].pipe;
    if (pipe.isIdle()) {
      pipesOut++;
    }
    pipe.start(op);
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

  /** Opens the reading ends of rings that peers have opened since the last look. */
  private void openInbound() {
    int rings = RankLayout.getAcquireRings(ownBlock);
    for (int p = 0; p < peers; p++) {
      long offset = inbound[p] == null ? Raw.getAcquireLong(segment.ringEntry(p, self)) : 0;
      if (offset != 0) {
        long ring = segment.address(offset, RingLayout.bytes(RingLayout.MIN_SLOTS, RingLayout.MIN_BULK));
        int slots = RingLayout.getPlainSlots(ring);
        int bulk = RingLayout.getPlainBulkBytes(ring);
        if (!RingLayout.isShape(slots, bulk)) {
          throw new MpiException(
              ErrorClass.ERR_INTERN,
              "rank " + p + " opened an impossible ring: " + slots + " slots, " + bulk + " bytes");
        }
        segment.address(offset, RingLayout.bytes(slots, bulk));
        inbound[p] = new Inbound(this, p, new RingConsumer(ring, slots, bulk));
        active[activeCount++] = inbound[p];
      }
    }
    knownRings = rings;
  }

  Inbound inbound(int peer) {
    return inbound[peer];
  }

  // ---------------------------------------------------------------- waking

  /** Wakes a rank if it sleeps. Two loads in the usual case: no fence, see {@link Waiting}. */
  void wake(long block) {
    if (RankLayout.getOpaqueWait(block) != 0) {
      wakeSleeper(block);
    }
  }

  private void wakeSleeper(long block) {
    if (!PosixLoader.isReady()) {
      PosixLoader.whenReady(linked); // which wakes whoever sleeps by then
    } else if (RankLayout.casWaitToAwake(block)) {
      Posix.futexWake(RankLayout.waitAddress(block));
    }
  }

  void wakeAll() {
    for (int p = 0; p < peers; p++) {
      wake(segment.rankBlock(p));
    }
  }

  private void onLinked() {
    if (!poller.isClosed()) {
      wakeAll();
      home.onLinked();
    }
  }

  // ---------------------------------------------------------------- ends

  /** Fails when the job has been ended. */
  void checkEnded() {
    if (closing || lock.isClosed()) {
      throw left();
    }
    if (segment.isEnded()) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + segment.abortReason());
    }
  }

  MpiException left() {
    return new MpiException(ErrorClass.ERR_OTHER, "rank " + self + " has finalized: no MPI call may follow");
  }

  private static MpiException unusable(RuntimeException e) {
    return new MpiException(ErrorClass.ERR_BUFFER, "the buffer cannot be used: " + e.getMessage(), e);
  }

  /** Looks for peers that have gone, and ends what only they could have completed; returns how many are new. */
  int sweepGone() {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      int found = 0;
      for (int p = 0; p < peers; p++) {
        if (gone.isNew(p)) {
          while (pollLocked() > 0) {
            Thread.onSpinWait(); // what it sent before it went still counts
          }
          gone.note(p);
          found++;
        }
      }
      if (!gone.isEmpty()) {
        receiving.failAllOf(gone);
        for (int p = 0; p < peers; p++) {
          if (gone.isGone(p)) {
            failSendsTo(p);
          }
          if (gone.isDead(p) && inbound[p] != null) {
            receiving.failTransfersOf(inbound[p], gone);
          }
        }
      }
      return found;
    } finally {
      unlock();
    }
  }

  private void failSendsTo(int peer) {
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

  @Override
  public long takeContexts(int count) {
    return segment.takeContexts(count);
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    checkEnded();
    return heap.allocate(bytes, alignment, arena);
  }

  @Override
  public String describe() {
    return "ffmpi shared-memory engine, " + peers + (home.inThreads() ? " ranks in threads" : " ranks in processes");
  }

  @Override
  public void abort(int code, String reason) {
    int nonZero = code == 0 ? 1 : code;
    boolean first = segment.requestAbort(self, nonZero, reason);
    wakeAll();
    home.aborted(first, nonZero, reason);
  }

  @Override
  public Optional<String> endedBecause() {
    return Optional.ofNullable(segment.abortReason());
  }

  @Override
  public void leave(boolean failed) {
    if (lock.isClosed()) {
      return;
    }
    segment.publishState(self, RankLayout.LEAVING);
    try {
      waiting.until(() -> isQuiet() || segment.isEnded(), null, failed ? FAILED_LEAVE_NANOS : Long.MAX_VALUE);
    } catch (MpiException e) {
      // The job has ended: nobody counts on this rank any more.
    }
    closing = true;
    wake(ownBlock);
    poller.close();
    lock.close();
    registered.close();
    for (Outbound o : outbound) {
      o.close();
    }
    offers.close();
    segment.publishState(self, failed ? RankLayout.DEAD : RankLayout.GONE);
    wakeAll();
    heap.leave();
    home.left(this);
  }

  /** Whether everything that peers may count on has gone out. */
  private boolean isQuiet() {
    return backlogs == 0 && pipesOut == 0 && offers.isEmpty();
  }
}
