// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * The engine of one rank whose orders are explored. All its calls are made by the rank's own thread, which has the
 * turn; a call that cannot go on hands the turn over. It shares no memory with its peers: collective calls, windows and
 * objects run by messages.
 *
 * <p>This file is long because all calls of the port are here.
 */
final class ExploreEngine implements Engine {
  /** The key of a collective call that has failed at some rank. */
  private record FailedCall(long context, int tag) {}

  /** An operation that is always complete. */
  private static final class Completed extends Operation {
    Completed() {
      complete();
    }
  }

  private final Scheduler scheduler;
  private final ExploredRank rank;
  private final ExploreEngine[] peers;
  private final Settings settings;
  private final boolean checking;
  private final Operation completed = new Completed();
  private final Choices choices;
  private final Map<FailedCall, ReceiveException> failed = new HashMap<>();
  private boolean begun;

  /** The objects of the program, in a run of an exploration; otherwise null. */
  private final Lifetimes lifetimes;

  ExploreEngine(Scheduler scheduler, int self, ExploreEngine[] peers, Settings settings, Lifetimes lifetimes) {
    this.scheduler = scheduler;
    this.rank = scheduler.ranks[self];
    this.peers = peers;
    this.settings = settings;
    this.checking = RunSettings.CHECK.get(settings).isFull();
    this.rank.checking = checking;
    this.choices = new ExploredChoices(this, rank);
    this.lifetimes = lifetimes;
  }

  // ---- facts

  @Override
  public int self() {
    return rank.self;
  }

  @Override
  public int peers() {
    return peers.length;
  }

  @Override
  public Settings settings() {
    return settings;
  }

  @Override
  public Choices choices() {
    return choices;
  }

  @Override
  public Lifetimes lifetimes() {
    return lifetimes;
  }

  @Override
  public String describe() {
    return "explore: ranks one at a time, for every order of their messages";
  }

  // ---- turns

  /** Waits for the rank's first turn. */
  private void begin() {
    if (!begun) {
      begun = true;
      scheduler.begin(rank);
    }
  }

  /** Checks that the rank's own thread calls, and that the run has not ended. */
  private void enter() {
    begin();
    if (Thread.currentThread() != rank.thread) {
      throw scheduler.cannotExplore("rank " + rank.self + " calls from thread "
          + StandTexts.name(Thread.currentThread())
          + ", and the order of its threads would be another choice; allowed are calls of the rank's own thread");
    }
    scheduler.checkRunning();
  }

  /** Blocks until a condition holds. */
  private void stand(BooleanSupplier over, WaitSubject subject, String call) {
    enter();
    scheduler.stand(rank, new Stand(over, null, false, subject, call, place()));
  }

  /** Blocks until a choice has been made; returns its result. */
  String choose(ChoicePoint point, WaitSubject subject, String call) {
    enter();
    try {
      scheduler.stand(rank, new Stand(() -> advance(point), point, false, subject, call, place()));
    } finally {
      rank.hold(null);
    }
    rank.see(point.past.after(point.number));
    return point.result;
  }

  /** Advances the operations that a choice is about. */
  private boolean advance(ChoicePoint point) {
    for (int i = 0; point.operations != null && i < point.operations.length; i++) {
      if (point.operations[i] != null) {
        rank.advance(point.operations[i]);
      }
    }
    return point.isDecided();
  }

  /** Lets the others run until nothing moves, unless a condition holds before; returns whether it does. */
  private boolean idle(BooleanSupplier over, String call) {
    enter();
    scheduler.stand(rank, new Stand(over, null, true, null, call, place()));
    return over.getAsBoolean();
  }

  private StackTraceElement place() {
    return scheduler.picture == null ? null : MessageTable.place();
  }

  private boolean isOfProgram(long context) {
    return scheduler.isOfProgram(rank, context);
  }

  // ---- sends

  @Override
  public void send(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    Operation sent = isend(mode, kind, owner, offset, count, plan, peer, context, tag);
    if (sent != completed) {
      await(sent);
    }
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return isend(mode, false, kind, owner, offset, count, plan, peer, context, tag);
  }

  private Operation isend(int mode, boolean alwaysBuffered, int kind, Object owner, long offset, long count, Plan plan,
      int peer, long context, int tag) {
    enter();
    boolean ofProgram = isOfProgram(context);
    long bytes = plan.packedBytes(count);
    int discipline = mode & ~SIGNED;
    if (ofProgram && !rank.isInFrame()) {
      rank.record(discipline == SYNCHRONOUS ? "synchronous send" : discipline == READY ? "ready send" : "send",
          peer, tag, context, bytes);
    }
    if (ofProgram && discipline == READY) {
      checkReady(peer, context, tag);
    }
    boolean standard = ofProgram && discipline == STANDARD && !alwaysBuffered && !rank.isInFrame();
    int number = standard ? ++rank.sends : 0;
    boolean waits = discipline == SYNCHRONOUS || ofProgram && !alwaysBuffered
        && (standard ? scheduler.plan.waits(rank.self, number) : !scheduler.plan.buffered());
    ExploredSend send = waits || standard ? new ExploredSend(scheduler::withdraw, !waits) : null;
    long data = scheduler.memory.allocate(bytes);
    if (bytes > 0) {
      plan.pack(kind, owner, offset, count, 0, bytes, data);
    }
    boolean ofService = rank.isInFrame() && scheduler.isOfWindow(rank, context);
    if (ofService) {
      rank.answered(context, tag, peer, bytes, data);
    }
    StreamSignature signature = SignedMessages.of(plan, mode, bytes, lifetimes != null, checking);
    ExploredMessage message = new ExploredMessage(rank.self, peer, context, tag, bytes, data,
        signature == null ? 0 : signature.hash(bytes), signature == null ? "" : signature.text(bytes),
        ofService ? rank.ofService(context, tag, peer) : rank.now(ofProgram, context), send);
    message.sendNumber = number;
    if (send != null) {
      send.message = message;
      rank.isLeaving(send);
    }
    if (scheduler.picture != null && ofProgram) {
      scheduler.picture.sent(message, discipline);
    }
    if (!peers[peer].failed.containsKey(new FailedCall(Channel.callOf(context), tag))) {
      scheduler.arrive(message);
    }
    scheduler.moved();
    return send != null ? send : completed;
  }

  /** Throws unless the receive is posted in every order. */
  private void checkReady(int peer, long context, int tag) {
    Past now = rank.now(true, context);
    int seen = 0;
    for (ExploredReceive receive : scheduler.ranks[peer].receives) {
      seen++;
      boolean takes = receive.context == context && (receive.peer < 0 || receive.peer == rank.self)
          && (receive.tag < 0 || receive.tag == tag) && !receive.isReady();
      if (takes && (seen <= now.posts(peer) || peer == rank.self)) {
        return;
      }
    }
    throw new MpiException(ErrorClass.ERR_OTHER, "ready send to rank " + peer + " with tag " + tag
        + ": nothing ensures that its receive is posted before");
  }

  @Override
  public boolean trySend(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    isend(STANDARD, true, kind, owner, offset, count, plan, peer, context, tag);
    return true;
  }

  // ---- receives

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    Operation receive = irecv(kind, owner, offset, count, plan, peer, context, tag);
    await(receive);
    if (receive.error() != null) {
      throw receive.error();
    }
    if (envelope != null) {
      receive.envelope(envelope);
    }
  }

  @Override
  public Operation irecv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    ExploredReceive receive = receive(peer, context, tag, plan, null, plan.packedBytes(count));
    receive.into(kind, owner, offset, count);
    return post(receive);
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    return post(receive(peer, context, tag, plan, memory, -1));
  }

  private ExploredReceive receive(
      int peer, long context, int tag, Plan plan, LongFunction<MemorySegment> memory, long bytes) {
    enter();
    boolean ofProgram = isOfProgram(context);
    if (ofProgram && !rank.isInFrame()) {
      rank.record("receive", peer, tag, context, bytes);
    }
    if (ofProgram) {
      rank.countPost();
    }
    return new ExploredReceive(rank, peer, context, tag, rank.orders++, rank.now(ofProgram, context), plan, memory);
  }

  private Operation post(ExploredReceive receive) {
    ReceiveException error = failed.get(new FailedCall(Channel.callOf(receive.context), receive.tag));
    if (error != null) {
      receive.refuse(error, receive.posted);
      rank.isReady(receive);
      return receive;
    }
    boolean ofProgram = isOfProgram(receive.context);
    if (ofProgram && receive.peer == Constants.ANY_SOURCE) {
      receive.point = rank.point(ChoicePoint.Kind.RECEIVE, false, receive.order);
      receive.point.pattern = receive;
    }
    if (ofProgram && scheduler.picture != null) {
      scheduler.picture.posted(receive);
    }
    scheduler.post(rank, receive);
    scheduler.moved();
    return receive;
  }

  // ---- probes

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    found(find(peer, context, tag, "probe"), envelope);
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    return removed(find(peer, context, tag, "matched probe"), envelope);
  }

  /** Blocks until there is a message. */
  private ExploredMessage find(int peer, long context, int tag, String call) {
    ExploredReceive pattern = pattern(peer, context, tag, call);
    if (peer == Constants.ANY_SOURCE && isOfProgram(context)) {
      ChoicePoint point = rank.point(ChoicePoint.Kind.PROBE, false, pattern.order);
      point.pattern = pattern;
      choose(point, note -> note.message(WaitNote.Kind.PROBE, peer, context, tag, -1), call);
      return point.message;
    }
    stand(() -> present(pattern) != null, note -> note.message(WaitNote.Kind.PROBE, peer, context, tag, -1), call);
    return seen(pattern);
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    return found(look(peer, context, tag, "probe"), envelope);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    return removed(look(peer, context, tag, "matched probe"), envelope);
  }

  /** Looks for a message; null when the choice is to see none. */
  private ExploredMessage look(int peer, long context, int tag, String call) {
    ExploredReceive pattern = pattern(peer, context, tag, call);
    if (!isOfProgram(context)) {
      idle(() -> present(pattern) != null, call);
      return seen(pattern);
    }
    ChoicePoint point = rank.point(ChoicePoint.Kind.LOOK, true, pattern.order);
    point.pattern = pattern;
    choose(point, note -> note.message(WaitNote.Kind.PROBE, peer, context, tag, -1), call);
    return point.message;
  }

  @Override
  public Matched claim(int peer, long context, int tag, Envelope envelope) {
    ExploredReceive pattern =
        new ExploredReceive(rank, peer, context, tag, rank.orders++, rank.now(false, context), null, null);
    return removed(seen(pattern), envelope);
  }

  private ExploredReceive pattern(int peer, long context, int tag, String call) {
    enter();
    boolean ofProgram = isOfProgram(context);
    if (ofProgram) {
      rank.record(call, peer, tag, context, -1);
    }
    return new ExploredReceive(rank, peer, context, tag, rank.orders++, rank.now(ofProgram, context), null, null);
  }

  private ExploredMessage present(ExploredReceive pattern) {
    if (pattern.peer != Constants.ANY_SOURCE) {
      return Scheduler.candidate(rank, pattern, pattern.peer);
    }
    ExploredMessage found = null;
    for (int from = 0; from < peers.length && found == null; from++) {
      found = Scheduler.candidate(rank, pattern, from);
    }
    return found;
  }

  private ExploredMessage seen(ExploredReceive pattern) {
    ExploredMessage message = present(pattern);
    if (message != null) {
      rank.see(Scheduler.pastOfMatch(rank, pattern, message));
    }
    return message;
  }

  private static boolean found(ExploredMessage message, Envelope envelope) {
    if (message != null) {
      envelope.set(message.from, message.tag, message.bytes, false);
    }
    return message != null;
  }

  /** Removes a message that a probe has found from matching. */
  private Matched removed(ExploredMessage message, Envelope envelope) {
    if (found(message, envelope)) {
      Past past = message.past.and(rank.now(isOfProgram(message.context), message.context));
      scheduler.take(rank, message, rank.orders - 1, past);
    }
    return message;
  }

  @Override
  public Operation imrecv(Matched message, int kind, Object owner, long offset, long count, Plan plan) {
    enter();
    ExploredMessage matched = (ExploredMessage) message;
    ExploredReceive receive = new ExploredReceive(rank, matched.from, matched.context, matched.tag, matched.taker,
        rank.now(isOfProgram(matched.context), matched.context), plan, null);
    receive.into(kind, owner, offset, count);
    receive.match(matched, receive.posted.and(matched.past));
    rank.isReady(receive);
    if (scheduler.picture != null && isOfProgram(matched.context)) {
      scheduler.picture.posted(receive);
      scheduler.picture.matched(matched, receive);
    }
    return receive;
  }

  // ---- completion

  @Override
  public Operation completed() {
    return completed;
  }

  @Override
  public void release(Operation operation) {
    operation.release();
  }

  @Override
  public void progress() {
    if (rank.isInFrame() || rank.stand != null) {
      return; // progress is being made
    }
    idle(() -> false, "progress");
    rank.completeAll();
    rank.progress();
  }

  @Override
  public boolean test(Operation operation) {
    enter();
    if (operation instanceof ExploredSend send && send.isBuffered()) {
      rank.complete(operation);
      return true;
    }
    if (operation.isDone() && (operation instanceof ExploredOperation || operation == completed)) {
      rank.complete(operation);
      return true;
    }
    if (operation.matchingContext() >= 0 && !isOfProgram(operation.matchingContext())
        && operation instanceof ExploredOperation) {
      idle(() -> ExploredRank.isReady(operation), "test");
      return completeIfReady(operation);
    }
    return test(new Operation[] {operation}, "test");
  }

  private boolean completeIfReady(Operation operation) {
    if (ExploredRank.isReady(operation)) {
      rank.complete(operation);
    }
    return operation.isDone();
  }

  /** Chooses whether a test sees that all operations are complete, and completes them then. */
  boolean test(Operation[] operations, String call) {
    enter();
    rank.record(call, operations.length, -1, 0, -1);
    ChoicePoint point = point(ChoicePoint.Kind.TEST, true, operations);
    if (choose(point, null, call).equals(ChoicePoint.NO)) {
      return false;
    }
    for (Operation operation : operations) {
      if (operation != null) {
        rank.complete(operation);
      }
    }
    return true;
  }

  /** Returns a choice among operations, which the rank advances from now on when it looks. */
  ChoicePoint point(ChoicePoint.Kind kind, boolean polls, Operation[] operations) {
    enter();
    ChoicePoint point = rank.point(kind, polls, rank.orders++);
    point.operations = operations.clone();
    if (polls && scheduler.chooser.isToMiss(point)) {
      rank.hold(point.operations); // what it does not see it must not find in its buffers either
    }
    for (Operation operation : operations) {
      if (operation != null) {
        rank.advance(operation);
        rank.watch(operation);
      }
    }
    return point;
  }

  @Override
  public void await(Operation operation) {
    enter();
    stand(() -> isOver(operation), operation, "wait");
    completeIfReady(operation);
  }

  /** Returns whether an operation can be completed, after a step of its own if it has any. */
  private boolean isOver(Operation operation) {
    rank.advance(operation);
    return ExploredRank.isReady(operation);
  }

  @Override
  public void awaitAny(Operation[] operations, int length) {
    stand(() -> {
      boolean any = false;
      for (int i = 0; i < length; i++) {
        any |= operations[i] != null && isOver(operations[i]);
      }
      return any;
    }, note -> note.kind(WaitNote.Kind.ANY), "wait");
    for (int i = 0; i < length; i++) {
      if (operations[i] != null) {
        completeIfReady(operations[i]);
      }
    }
  }

  @Override
  public boolean awaitFor(Operation operation, long nanos) {
    idle(() -> isOver(operation), "wait");
    return completeIfReady(operation);
  }

  @Override
  public void register(Operation operation) {
    rank.register(operation);
  }

  @Override
  public void wakeWaiters() {
    scheduler.wake(rank);
  }

  @Override
  public boolean hasProgressThread() {
    throw scheduler.cannotExplore("the future of a request is completed by a progress thread, whose order among the"
        + " calls of the rank would be another choice");
  }

  @Override
  public void whenDone(Operation operation, Runnable action) {
    throw new IllegalStateException("orders are explored without a progress thread");
  }

  // ---- calls that have failed

  @Override
  public void failCall(
      long context, int tag, ErrorClass errorClass, long cause, int causePeer, int[] members) {
    FailedCall call = new FailedCall(Channel.callOf(context), tag);
    for (int peer : members) {
      ExploreEngine other = peers[peer];
      ReceiveException error =
          ReceiveException.ofFailedCall(rank.self, context, errorClass, cause, causePeer);
      if (other.failed.putIfAbsent(call, error) == null) {
        other.endReceives(call, error);
      }
    }
  }

  private void endReceives(FailedCall call, ReceiveException error) {
    for (ExploredReceive receive : rank.posted.toArray(ExploredReceive[]::new)) {
      if (Channel.callOf(receive.context) == call.context() && receive.tag == call.tag()) {
        rank.posted.remove(receive);
        receive.refuse(error, receive.posted);
        rank.isReady(receive);
      }
    }
    rank.waiting.removeIf(m -> Channel.callOf(m.context) == call.context() && m.tag == call.tag());
    rank.awake = true;
  }

  // ---- contexts and memory

  @Override
  public long claimContexts(int count) {
    return scheduler.claimContexts(count);
  }

  @Override
  public void opened(Channel channel) {
    begin(); // and no more, so that a run that has ended is left in good order
    scheduler.open(rank, channel);
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    Arena lifetime = arena == null ? Arena.ofAuto() : arena;
    return lifetime.allocate(Math.max(1, bytes), alignment).asSlice(0, bytes);
  }

  // ---- the end

  @Override
  public void abort(int code, String reason) {
    scheduler.end(reason);
  }

  @Override
  public Optional<String> endReason() {
    return Optional.ofNullable(scheduler.ended());
  }

  @Override
  public boolean flush(long nanos) {
    return true; // a message that is left over is reported at the end of the run
  }

  @Override
  public void awaitQuiet(Channel channel) {
    long number = channel.pointToPoint();
    stand(() -> rank.isQuiet(number), note -> note.kind(WaitNote.Kind.FLUSH), "disconnect");
  }

  @Override
  public void leave(boolean hasFailed) {
    begin();
    scheduler.leave(rank);
  }

  @Override
  public void setThread(Thread thread) {
    rank.thread = thread;
  }

  @Override
  public String diagnosis() {
    String known = scheduler.standstill();
    return known == null ? "" : known;
  }
}
