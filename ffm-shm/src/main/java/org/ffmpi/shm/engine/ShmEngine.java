// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.posix.Posix;
import org.ffmpi.shm.posix.PosixLoader;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.spi.SharedMemory;

/**
 * The shared-memory engine of one rank.
 *
 * <p>Locks, in the order in which they may be taken: the engine's {@link #lock} (matching, receiving, polling), a
 * peer's {@link Outbound}, the {@link Offers}. The {@link #poller} role is taken before all of them. The segment is
 * touched only by a thread that holds one of these, so that {@link #leave}, which closes all of them, may give the
 * mapping up.
 *
 * <p>The way of a small message: {@link Sending#send} → {@link Outbound#pushInline} → {@code RingProducer}; on the
 * other side
 * {@link #recv} → {@link Inbound#takeExpected} if it is all that is waited for, otherwise {@link #pollLocked} →
 * {@link Inbound#drain} → {@link Receiving#onWhole}. The state machine is in
 * {@code docs/decisions/0003-protocols.md}.
 */
final class ShmEngine implements Engine {
  /** What of an exit code reaches whoever waits for a process. */
  private static final int EXIT_STATUS = 0xFF;

  static final Operation COMPLETED = new CompletedOperation();
  private static final long FAILED_LEAVE_NANOS = 200_000_000;

  /** After so many tests in vain, it is time to look whether those who should send are still there. */
  private static final int FRUITLESS = 1_000;


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
  final SharedHeapArena heap;
  final Sending sending;
  final Receiving receiving;
  final Runnable linked;

  private final Settings settings;
  private final RankHome home;
  private final Inbound[] inbound;
  private final Inbound[] active;
  private int activeCount;
  private int knownRings;
  private int turn;

  /** How often this rank has looked for messages; guarded by the lock, read without it. */
  private long looks;

  /** Tests since something moved, more or less. */
  private int fruitless;

  /** Why the job had ended when this rank left; afterwards the memory that says so may be gone. */
  private volatile String reasonAtLeaving;

  /** This rank leaves: threads that still wait get an error. */
  private volatile boolean closing;

  private final Registered registered = new Registered();
  final OpenChannels channels = new OpenChannels();
  private final GonePeers gone;
  private final Waiting waiting;

  private final JobMemory memory;

  /** Null without one. */
  private final ProgressThread progressThread;

  ShmEngine(JobSegment segment, int self, Settings settings, RankHome home) {
    this.segment = segment;
    this.self = self;
    this.peers = segment.ranks();
    this.ownBlock = segment.rankBlock(self);
    this.settings = settings;
    this.home = home;
    this.options = EngineOptions.of(settings, peers);
    this.offers = new Offers(segment);
    this.types = new TypeRecords(segment);
    this.cross = new CrossMemory(home.inThreads());
    this.heap = new SharedHeapArena(segment);
    this.sending = new Sending(this);
    this.receiving = new Receiving(this);
    this.inbound = new Inbound[peers];
    this.active = new Inbound[peers];
    this.gone = new GonePeers(segment, channels, self);
    this.linked = this::onLinked;
    this.waiting = new Waiting(this);
    this.memory = new JobMemory(this);
    segment.publishState(self, RankLayout.JOINED);
    this.progressThread =
        RunSettings.PROGRESS.get(settings) == RunSettings.Progress.THREAD ? ProgressThread.start(this, waiting) : null;
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
    sending.send(mode, kind, owner, offset, count, plan, peer, context, tag);
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
      looks++;
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
      waiting.awaitAfterLock(op);
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
    if (!lock.lock()) {
      throw left();
    }
    RecvOp op;
    try {
      op = receiving.take();
      op.describe(kind, owner, offset, count, plan, peer, context, tag);
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
    awaitArrival(peer, context, () -> look(peer, context, tag, envelope));
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    progress();
    if (look(peer, context, tag, envelope)) {
      return true;
    }
    if (gone.isBereft(context, peer)) {
      return isThere(peer, context, () -> look(peer, context, tag, envelope));
    }
    return false;
  }

  /** Whether a message is found; fails when none can come any more. */
  private boolean isThere(int peer, long context, BooleanSupplier found) {
    if (found.getAsBoolean()) {
      return true;
    }
    if (!gone.isEmpty() && gone.starves(context, peer)) {
      if (found.getAsBoolean()) {
        return true; // it came with the last that was taken from a peer before that was noted to be gone
      }
      throw gone.receiveError(peer);
    }
    return false;
  }

  private boolean look(int peer, long context, int tag, Envelope envelope) {
    if (!lock.lock()) {
      throw left();
    }
    try {
      return describe(receiving.peek(context, peer, tag), envelope);
    } finally {
      unlock();
    }
  }

  private static boolean describe(Arrival a, Envelope envelope) {
    if (a != null) {
      envelope.set(a.peer, a.tag, a.total, false);
    }
    return a != null;
  }

  private void awaitArrival(int peer, long context, BooleanSupplier found) {
    waiting.until(() -> isThere(peer, context, found), null, Long.MAX_VALUE);
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    Matched[] taken = new Matched[1];
    awaitArrival(
        peer, context,
        () -> taken[0] != null || (taken[0] = take(peer, context, tag, envelope)) != null); // asked again when it holds
    return taken[0];
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    progress();
    Matched message = take(peer, context, tag, envelope);
    if (message == null && gone.isBereft(context, peer)) {
      Matched[] taken = new Matched[1];
      isThere(peer, context, () -> (taken[0] = take(peer, context, tag, envelope)) != null);
      return taken[0];
    }
    return message;
  }

  private Matched take(int peer, long context, int tag, Envelope envelope) {
    if (!lock.lock()) {
      throw left();
    }
    try {
      Arrival a = receiving.take(context, peer, tag);
      return describe(a, envelope) ? a : null;
    } finally {
      unlock();
    }
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    checkReceivable(count, plan);
    Arrival a = (Arrival) message;
    if (!lock.lock()) {
      throw left();
    }
    RecvOp op;
    try {
      op = receiving.take();
      op.describe(kind, owner, offset, count, plan, a.peer, a.context, a.tag);
      receiving.startMatched(a, op);
    } finally {
      unlock();
    }
    return op;
  }

  // ---------------------------------------------------------------- progress

  @Override
  public Operation completed() {
    return COMPLETED;
  }

  @Override
  public void release(Operation op) {
    op.release();
  }

  @Override
  public void progress() {
    checkEnded();
    if (pollOnce() > 0) {
      waiting.wakeLookers(); // this thread may have taken in what they wait for
    } else if (++fruitless > FRUITLESS) {
      fruitless = 0;
      sweepGone(true);
    }
  }

  @Override
  public boolean test(Operation op) {
    if (op.isDone()) {
      return true;
    }
    progress();
    if (op.advance() && op.isDone()) {
      registered.forget(op);
    }
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

  @Override
  public void completedOutside() {
    if (lock.lock()) {
      unlock(); // wakes the poller
    }
    waiting.wakeLookers();
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

  /** How often anybody has looked for messages: whether it changes tells whether the rank is attended to. Racy. */
  long looks() {
    return looks;
  }

  boolean isOver() {
    return closing || lock.isClosed() || segment.isEnded();
  }

  boolean hasRegistered() {
    return !registered.isEmpty();
  }

  /** The operations that every poll advances. */
  Registered registered() {
    return registered;
  }

  /** Whether polling may find something. Only for the poller; racy in the harmless direction. */
  boolean hasWork() {
    for (int i = 0; i < activeCount; i++) {
      if (active[i].isReady()) {
        return true;
      }
    }
    return sending.hasWork() || receiving.hasTransfers() || !registered.isEmpty()
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

  /**
   * Polls on the way to sleep: without waking the sleeper that the caller is about to be. Operations made of others are
   * asked as well, since they may wait for words that no ring announces.
   */
  boolean findsNothing() {
    if (!lock.tryLock()) {
      return false;
    }
    int moved;
    try {
      moved = pollLocked();
    } finally {
      lock.unlock();
    }
    return moved == 0 && (registered.isEmpty() || registered.advanceAll() == 0);
  }

  /** The one place where everything moves. Called with the lock held. */
  int pollLocked() {
    int moved = 0;
    looks++;
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
    if (sending.hasWork()) {
      moved += sending.poll();
    }
    return moved;
  }

  /** Gives the lock back, and the rank's sleeping poller a reason to look: what this thread did may concern it. */
  void unlock() {
    wake(ownBlock); // before the lock goes: after it, a leaving thread may give the mapping up
    lock.unlock();
  }

  /** Wakes this rank's sleeping poller, under a lock since another thread may be leaving. */
  void wakeOwn() {
    if (lock.tryLock()) {
      unlock();
    }
  }

  /** Opens the reading ends of rings that peers have opened since the last look. */
  private void openInbound() {
    int rings = RankLayout.getAcquireRings(ownBlock);
    for (int p = 0; p < peers; p++) {
      long offset = inbound[p] == null ? Raw.getAcquireLong(segment.ringEntry(p, self)) : 0;
      if (offset != 0) {
        long ring = segment.line(offset, RingLayout.bytes(RingLayout.MIN_SLOTS, RingLayout.MIN_BULK));
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

  /**
   * Fails when the job has been ended. Looks at the segment with the lock held, without which another thread that
   * leaves might give the mapping up; whoever else holds the lock will find out as well.
   */
  void checkEnded() {
    if (closing || lock.isClosed()) {
      throw left();
    }
    if (!lock.tryLock()) {
      return;
    }
    String reason = null;
    try {
      if (segment.isEnded()) {
        reason = String.valueOf(segment.abortReason());
      }
    } finally {
      lock.unlock();
    }
    if (reason != null) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + reason);
    }
  }

  MpiException left() {
    return new MpiException(ErrorClass.ERR_OTHER, "rank " + self + " has finalized: no MPI call may follow");
  }

  static MpiException unusable(RuntimeException e) {
    return new MpiException(ErrorClass.ERR_BUFFER, "the buffer cannot be used: " + e.getMessage(), e);
  }

  /**
   * Looks for peers that have gone, and ends what only they could have completed; returns how many are new.
   *
   * @param asked whether somebody waits for completions: then receives end for which nobody is left. Otherwise only
   *     those of peers that died: a program may cancel a receive after all others have finalized, or send to itself
   */
  int sweepGone(boolean asked) {
    if (!lock.tryLock()) {
      return 0;
    }
    try {
      int found = 0;
      for (int p = 0; p < peers; p++) {
        if (gone.isNew(p)) {
          takeLast(p);
          gone.note(p);
          found++;
        }
      }
      if (!gone.isEmpty()) {
        receiving.failAllOf(gone, asked);
        for (int p = 0; p < peers; p++) {
          if (gone.isGone(p)) {
            sending.failAllTo(p, gone);
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

  /**
   * Takes in what a peer has left behind: what it sent before it went, and what it received, still counts. A bounded
   * amount, unlike what others may go on sending.
   */
  private void takeLast(int peer) {
    pollLocked(); // which opens its ring, should that not be known yet
    Inbound in = inbound[peer];
    while (in != null && (in.drain() > 0 || in.pipe != null && in.pipe.poll() > 0)) {
      Thread.onSpinWait();
    }
    sending.settle();
  }

  @Override
  public long takeContexts(int count) {
    return segment.takeNumbers(count) * Channel.CONTEXTS;
  }

  @Override
  public void opened(Channel channel) {
    channels.add(channel);
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    checkEnded();
    return heap.allocate(bytes, alignment, arena);
  }

  @Override
  public SharedMemory sharedMemory() {
    return memory;
  }

  /** Blocks until a peer's store makes the condition true. */
  void awaitStore(BooleanSupplier condition) {
    waiting.awaitStore(condition);
  }

  @Override
  public int[] boundTo() {
    return home.boundTo();
  }

  @Override
  public String describe() {
    return "ffmpi shared-memory engine, " + peers + (home.inThreads() ? " ranks in threads" : " ranks in processes");
  }

  @Override
  public void abort(int code, String reason) {
    if (!segment.tryRetain()) {
      return; // all ranks have left
    }
    try {
      int nonZero = (code & EXIT_STATUS) == 0 ? 1 : code;
      boolean first = segment.requestAbort(self, nonZero, reason);
      wakeAll();
      home.aborted(first, nonZero, reason);
    } finally {
      segment.release();
    }
  }

  @Override
  public Optional<String> endedBecause() {
    if (!segment.tryRetain()) {
      return Optional.ofNullable(reasonAtLeaving);
    }
    try {
      return Optional.ofNullable(segment.abortReason());
    } finally {
      segment.release();
    }
  }

  @Override
  public void flush() {
    flush(Long.MAX_VALUE);
  }

  private void flush(long nanos) {
    try {
      waiting.until(() -> !sending.hasWork() || segment.isEnded(), null, nanos);
    } catch (MpiException e) {
      // The job has ended: nobody counts on this rank any more.
    }
  }

  @Override
  public void leave(boolean failed) {
    if (lock.isClosed()) {
      return;
    }
    segment.publishState(self, RankLayout.LEAVING);
    flush(failed ? FAILED_LEAVE_NANOS : Long.MAX_VALUE);
    closing = true;
    wake(ownBlock);
    if (progressThread != null) {
      progressThread.close();
    }
    poller.close();
    lock.close();
    registered.close();
    sending.close();
    if (progressThread != null) {
      progressThread.join();
    }
    segment.publishState(self, failed ? RankLayout.DEAD : RankLayout.GONE);
    wakeAll();
    reasonAtLeaving = segment.abortReason();
    heap.leave();
    home.left(this);
  }
}
