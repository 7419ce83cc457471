// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * Accesses by messages, which {@link PartService} serves at the target. An access is one request; data that are too
 * long for it follow straight out of the origin's buffer, and results arrive straight in it. An access with a result is
 * complete when the result is here, any other once the target has answered a flush that was sent after it. A rank that
 * continues without a flush sends one by itself after {@value #MOST_ACCESSES} accesses, and awaits its answer after as
 * many more, so that the requests that a target keeps have bounded memory. Any thread.
 * Operations are not released for reuse: requests and several threads may wait for one.
 *
 * <p>This file is long because every access, its messages, its answer and its error are here.
 */
final class MessageAccess implements RemoteAccess {
  /** Number of tags that the requests to one target use in turn; {@link MessageSynchronizer} uses higher ones. */
  private static final int TAGS = 1 << 30;

  /** Accesses to one target between two flushes. */
  private static final int MOST_ACCESSES = 1024;

  /** Longest result from another node that leaves its owner's memory at once. */
  private static final int SENT_AT_ONCE = 4 << 10;

  private final Channel channel;
  private final Engine engine;
  private final PartService service;
  /** Context of requests, plans and data. */
  private final long context;
  /** Context of answers and results. */
  private final long answers;
  /** Accesses under way, by target. */
  private final Pending[] pending;
  /** The ranks of the window. */
  private final int[] all;

  /** The accesses of this rank to one target; its monitor guards all fields. */
  private static final class Pending {
    final ArrayDeque<PendingMessage> operations = new ArrayDeque<>();
    int tag;
    /** Whether only the answer to another flush can show that all accesses are complete, or that one has failed. */
    boolean needsFlush;
    /** Number of flushes without an answer; a flush of another thread waits for the same accesses. */
    int flushing;
    /** Receives the answer to the only flush under way; null before the first one. */
    byte[] answer;
    /** Accesses since the last flush that bounds them. */
    int accesses;
    /** The answer to that flush, which no thread awaits yet; null for none. */
    Answer bounding;
    /** The first error of a message that no call has thrown; null for none. */
    MpiException failure;
  }

  /** A message under way. */
  private static final class PendingMessage {
    final Operation operation;
    /** Bytes of the result that it brings, of which fewer come if the target refuses; -1 without a result. */
    final long expected;
    final Thread starter = Thread.currentThread();
    /** Whether a request completes with it. */
    boolean requested;

    PendingMessage(Operation operation, long expected) {
      this.operation = operation;
      this.expected = expected;
    }
  }

  /** A plan in its flattened form. */
  private record FlattenedPlan(Plan plan, byte[] bytes) {}

  private volatile FlattenedPlan lastPlan = new FlattenedPlan(null, new byte[0]);

  MessageAccess(Channel channel, PartService service) {
    this.channel = channel;
    this.engine = channel.engine();
    this.service = service;
    this.context = WindowContexts.requests(channel);
    this.answers = WindowContexts.answers(channel);
    this.all = IntStream.range(0, channel.size()).toArray();
    this.pending = new Pending[channel.size()];
    for (int i = 0; i < pending.length; i++) {
      pending[i] = new Pending();
    }
  }

  // ---- accesses

  @Override
  public void put(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    Pending to = bounded(target);
    synchronized (to) {
      boolean inside = origin.packedBytes() <= AccessRequest.INSIDE;
      int tag = nextTag(to);
      AccessRequest request = request(AccessRequest.PUT, tag, position, count, plan, origin.packedBytes(),
          inside ? (int) origin.packedBytes() : 0);
      sendWithData(to, target, tag, request, origin, inside, plan, count);
      to.needsFlush = true;
    }
  }

  @Override
  public void get(BufImpl<?> origin, int target, long position, long count, Plan plan) {
    Pending to = bounded(target);
    synchronized (to) {
      int tag = nextTag(to);
      receive(to, target, tag, origin);
      AccessRequest request = request(AccessRequest.GET, tag, position, count, plan, origin.packedBytes(), 0);
      send(to, target, tag, request, plan, count);
    }
  }

  @Override
  public void combine(
      BufImpl<?> origin, BufImpl<?> result, int target, long position, long count, Plan plan, Combination how) {
    Pending to = bounded(target);
    synchronized (to) {
      long bytes = plan.packedBytes(count);
      boolean inside = bytes <= AccessRequest.INSIDE;
      int tag = nextTag(to);
      AccessRequest request =
          request(AccessRequest.COMBINE, tag, position, count, plan, bytes, inside && origin != null ? (int) bytes : 0)
              .operation(how.op().ordinal(), how.unit().code());
      if (result != null) {
        receive(to, target, tag, result);
        request.flag(AccessRequest.WANTS_RESULT);
      }
      if (origin != null) {
        request.flag(AccessRequest.HAS_DATA);
        sendWithData(to, target, tag, request, origin, inside, plan, count);
      } else {
        send(to, target, tag, request, plan, count);
      }
      to.needsFlush |= result == null;
    }
  }

  @Override
  public void compareAndSwap(
      BufImpl<?> origin, BufImpl<?> compare, BufImpl<?> result, int target, long position, AccumulateUnit unit) {
    Pending to = bounded(target);
    synchronized (to) {
      int tag = nextTag(to);
      long bytes = unit.size();
      receive(to, target, tag, result);
      AccessRequest request = request(AccessRequest.SWAP, tag, position, 1, unit.plan(), bytes, (int) (2 * bytes))
          .operation(PredefinedOp.REPLACE.ordinal(), unit.code())
          .flag(AccessRequest.DATA_INSIDE | AccessRequest.HAS_DATA | AccessRequest.WANTS_RESULT);
      try (Arena arena = Arena.ofConfined()) {
        long stage = Raw.address(arena.allocate(bytes, 16));
        append(request, origin, stage);
        append(request, compare, stage);
      }
      send(to, target, tag, request, unit.plan(), 1);
    }
  }

  /** Returns the accesses to a target, after a wait if there are too many of them, for one more. */
  private Pending bounded(int target) {
    Pending to = pending[target];
    Answer earlier;
    synchronized (to) {
      if (++to.accesses < MOST_ACCESSES) {
        return to;
      }
      to.accesses = 0;
      earlier = to.bounding;
      to.needsFlush = true; // also behind accesses with results alone
      to.bounding = startFlush(target, false);
    }
    MpiException failure = finish(earlier);
    if (failure != null) {
      synchronized (to) {
        to.failure = first(to.failure, failure);
      }
    }
    return to;
  }

  // ---- requests

  private int nextTag(Pending to) {
    to.tag = to.tag % TAGS + 1;
    return to.tag;
  }

  private AccessRequest request(
      int kind, int tag, long position, long count, Plan plan, long bytes, int inside) {
    byte[] flat = flattened(plan, count);
    boolean fits = flat.length <= AccessRequest.INSIDE;
    AccessRequest request = new AccessRequest(kind, tag, channel.rank(), inside + (fits ? flat.length : 0));
    boolean run = flat.length == 0;
    request.elements(run ? position + plan.trueLowerBound() : position, run ? bytes : count, bytes)
        .planBytes(flat.length);
    if (fits) {
      request.append(flat);
    } else {
      request.flag(AccessRequest.PLAN_FOLLOWS);
    }
    return request;
  }

  /** Returns a plan for the other process; no bytes for a run. */
  private byte[] flattened(Plan plan, long count) {
    if (plan.isRun(count)) {
      return new byte[0];
    }
    FlattenedPlan last = lastPlan;
    if (last.plan != plan) {
      try (Arena arena = Arena.ofConfined()) {
        long n = plan.flattenedBytes();
        long at = Raw.address(arena.allocate(n, 8));
        plan.flatten(at);
        byte[] bytes = new byte[Math.toIntExact(n)];
        Memory.write(Memory.BYTES, bytes, 0, at, n);
        last = new FlattenedPlan(plan, bytes);
        lastPlan = last;
      }
    }
    return last.bytes;
  }

  private void sendWithData(
      Pending to, int target, int tag, AccessRequest request, BufImpl<?> origin, boolean inside, Plan plan,
      long count) {
    if (inside) {
      request.flag(AccessRequest.DATA_INSIDE);
      try (Arena arena = Arena.ofConfined()) {
        append(request, origin, Raw.address(arena.allocate(origin.packedBytes() + 1, 16)));
      }
    }
    send(to, target, tag, request, plan, count);
    if (!inside) {
      add(to, engine.isend(Engine.STANDARD, origin.memoryKind(), origin.memoryOwner(), origin.memoryOffset(),
          origin.count(), origin.plan(), channel.peer(target), context, tag));
    }
  }

  private static void append(AccessRequest request, BufImpl<?> buf, long stage) {
    request.append(buf.plan(), buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(),
        buf.packedBytes(), stage);
  }

  private void send(Pending to, int target, int tag, AccessRequest request, Plan plan, long count) {
    sendBytes(to, target, PartService.REQUEST_TAG, request.bytes(), request.length());
    byte[] flat = flattened(plan, count);
    if (flat.length > AccessRequest.INSIDE) {
      sendBytes(to, target, tag, flat, flat.length);
    }
  }

  private void sendBytes(Pending to, int target, int tag, byte[] bytes, int length) {
    add(to, engine.isend(Engine.STANDARD, Memory.BYTES, bytes, 0, length, PartService.BYTE, channel.peer(target),
        context, tag));
  }

  private void receive(Pending to, int target, int tag, BufImpl<?> into) {
    Operation receive = engine.irecv(into.memoryKind(), into.memoryOwner(), into.memoryOffset(), into.count(),
        into.plan(), channel.peer(target), answers, tag);
    add(to, receive, into.packedBytes());
    to.needsFlush |= into.packedBytes() == 0 // a refusal is as short
        || into.packedBytes() > SENT_AT_ONCE && isElsewhere(target); // the wire carries no error of its sender
  }

  private boolean isElsewhere(int target) {
    return engine.node(channel.peer(target)) != engine.node(engine.self());
  }

  private void add(Pending to, Operation operation) {
    add(to, operation, -1);
  }

  private void add(Pending to, Operation operation, long expected) {
    while (!to.operations.isEmpty() && to.operations.peek().operation.isDone()) {
      checkResult(to, to.operations.remove());
    }
    if (operation != engine.completed()) {
      to.operations.add(new PendingMessage(operation, expected));
    }
  }

  /**
   * Keeps the error of a complete message for the next completion, and requires a flush if its result is too short, or
   * if the target may know of the error, too.
   */
  private static void checkResult(Pending to, PendingMessage done) {
    if (done.operation.error() != null) {
      to.failure = first(to.failure, done.operation.error());
      to.needsFlush |= done.expected >= 0;
    } else if (done.expected > 0) {
      Envelope envelope = new Envelope();
      done.operation.envelope(envelope);
      to.needsFlush |= envelope.bytes() < done.expected; // refused: the answer to the flush has the reason
    }
  }

  // ---- completion

  @Override
  public Operation pending(int target) {
    Pending to = pending[target];
    ArrayList<Operation> parts = new ArrayList<>();
    synchronized (to) {
      Iterator<PendingMessage> latestFirst = to.operations.descendingIterator();
      while (latestFirst.hasNext()) {
        PendingMessage message = latestFirst.next();
        if (message.starter == Thread.currentThread()) {
          if (message.requested) {
            break; // of an earlier access
          }
          message.requested = true;
          parts.add(message.operation);
        }
      }
    }
    return parts.isEmpty() ? null : new AllOf(parts.toArray(Operation[]::new));
  }

  /**
   * Completes when all parts are complete, and fails when one of them has; does not release them. Each part wakes the
   * thread that waits for all.
   */
  static final class AllOf extends Operation {
    private final Operation[] parts;

    AllOf(Operation[] parts) {
      this.parts = parts;
      for (Operation part : parts) {
        part.parent(this);
      }
      advance();
    }

    @Override
    public synchronized boolean advance() {
      if (isDone()) {
        return false;
      }
      for (Operation part : parts) {
        if (!part.isDone() && !(part.advance() && part.isDone())) {
          return false;
        }
      }
      for (Operation part : parts) {
        if (part.error() != null) {
          fail(part.error());
          return true;
        }
      }
      complete();
      return true;
    }
  }

  @Override
  public void completeLocally(int target) {
    Pending to = pending[target];
    PendingMessage next = next(to);
    while (next != null) {
      engine.await(next.operation);
      synchronized (to) {
        if (to.operations.remove(next)) {
          checkResult(to, next);
        }
      }
      next = next(to);
    }
    MpiException failure;
    synchronized (to) {
      failure = to.failure;
      to.failure = null;
    }
    throwIfAny(failure);
  }

  private static PendingMessage next(Pending to) {
    synchronized (to) {
      return to.operations.peek();
    }
  }

  @Override
  public void complete(int target) {
    completeAll(new int[] {target});
  }

  /** The answer to a flush under way. */
  private record Answer(Pending from, Operation operation, byte[] text) {}

  /**
   * Sends a flush to a target; returns null when no access needs one.
   *
   * @param joins whether accesses count that a flush of another thread waits for
   */
  private Answer startFlush(int target, boolean joins) {
    Pending to = pending[target];
    synchronized (to) {
      if (!to.needsFlush && !(joins && to.flushing > 0)) {
        return null;
      }
      int tag = nextTag(to);
      byte[] text = to.flushing == 0 && to.answer != null ? to.answer : new byte[PartService.LONGEST_ANSWER];
      to.answer = to.answer == null ? text : to.answer;
      Answer answer = new Answer(to, engine.irecv(
          Memory.BYTES, text, 0, text.length, PartService.BYTE, channel.peer(target), answers, tag), text);
      AccessRequest flush = new AccessRequest(AccessRequest.FLUSH, tag, channel.rank(), 0);
      sendBytes(to, target, PartService.REQUEST_TAG, flush.bytes(), flush.length());
      to.needsFlush = false;
      to.flushing++;
      return answer;
    }
  }

  /** Returns the answer to the flush that bounds the accesses, which the caller then awaits; null for none. */
  private static Answer removeBounding(Pending to) {
    synchronized (to) {
      Answer answer = to.bounding;
      to.bounding = null;
      to.accesses = 0;
      return answer;
    }
  }

  /** Waits for an answer; returns the target's error, or null. */
  private MpiException finish(Answer answer) {
    if (answer == null) {
      return null;
    }
    try {
      engine.await(answer.operation);
      if (answer.operation.error() != null) {
        return answer.operation.error();
      }
      Envelope envelope = new Envelope();
      answer.operation.envelope(envelope);
      engine.release(answer.operation);
      return PartService.failure(answer.text, envelope.bytes());
    } finally {
      synchronized (answer.from) {
        answer.from.flushing--;
      }
    }
  }

  private static void throwIfAny(MpiException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  private static MpiException first(MpiException failure, MpiException later) {
    return failure == null ? later : failure;
  }

  @Override
  public void completeAll(int[] targets) {
    int n = targets.length;
    Answer[] answers = new Answer[3 * n];
    for (int i = 0; i < n; i++) {
      answers[i] = removeBounding(pending[targets[i]]);
      answers[n + i] = startFlush(targets[i], true);
    }
    MpiException failure = completeLocally(targets);
    for (int i = 0; i < n; i++) {
      answers[2 * n + i] = startFlush(targets[i], false); // for results that have not come
    }
    for (Answer answer : answers) {
      failure = first(failure, finish(answer));
    }
    throwIfAny(failure);
  }

  /** Completes accesses at the origin; returns the first error, or null. */
  private MpiException completeLocally(int[] targets) {
    MpiException failure = null;
    for (int target : targets) {
      try {
        completeLocally(target);
      } catch (MpiException e) {
        failure = first(failure, e);
      }
    }
    return failure;
  }

  @Override
  public void completeAll() {
    completeAll(all);
  }

  @Override
  public void completeAllLocally() {
    throwIfAny(completeLocally(all));
  }

  @Override
  public void close() {
    try {
      completeAllLocally();
    } finally {
      service.stop();
    }
  }
}
