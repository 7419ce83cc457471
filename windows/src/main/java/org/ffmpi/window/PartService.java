// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Serves the accesses of all ranks to this rank's part, whenever this rank makes progress: it receives requests in the
 * order in which they come, starts puts and gets at once, and performs the accumulates of each origin in order. The
 * operation stays registered with the engine until the window is closed. One thread at a time serves.
 */
final class PartService extends Operation {
  /** Tag of requests. */
  static final int REQUEST_TAG = 0;
  static final Plan BYTE = TypeHandle.planOf(Datatype.BYTE);

  /** Longest answer to a flush, in bytes. */
  static final int LONGEST_ANSWER = 1024;

  private static final int SLOTS = 4;
  private static final int REQUESTS_PER_CALL = 16;

  private final Channel channel;
  private final Engine engine;
  /** Context of requests, plans and data. */
  private final long context;
  /** Context of answers and results: two ranks may be origins for each other, and each counts its own tags. */
  private final long answers;
  private final LocalPart part;
  private final PartGuard guard;
  private final ReentrantLock serving = new ReentrantLock();
  private final MemorySegment[] slots = new MemorySegment[SLOTS];
  private final Operation[] receives = new Operation[SLOTS];
  private int slot;
  private final Origin[] origins;
  /** Origins with accesses under way: the only ones that {@link #advance()} visits. */
  private final ArrayList<Origin> busy = new ArrayList<>();
  /** Holds short data while they are combined. */
  private final MemorySegment stage = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
  /** Memory for the next short result; null while a message still reads the last one from it. */
  private MemorySegment shortResult;
  private boolean stopped;
  private final LockQueue locks;

  /** The accesses of one origin that are not complete. */
  private static final class Origin {
    /** Transfers under way; they complete in any order. */
    final ArrayDeque<Transfer> transfers = new ArrayDeque<>();
    /** Accumulates, and accesses that have to follow them, in order. */
    final ArrayDeque<Task> tasks = new ArrayDeque<>();
    /** The first error since the last flush; null for none. */
    MpiException failure;
    /** Whether this origin is in the list of busy ones. */
    boolean busy;

    boolean isIdle() {
      return transfers.isEmpty() && tasks.isEmpty();
    }
  }

  /** A message under way, and the owner of its memory, which must stay reachable. */
  private record Transfer(Operation operation, Object owner) {}

  /** A step of an access that may have to wait. */
  private interface Task {
    /** Performs the step if it need not wait; returns whether it is done. */
    boolean run();
  }

  /**
   * Creates a service that {@link #start} has to start.
   *
   * @param guard serializes accumulates with those of ranks that reach the part
   * @param locks grants the lock of the part
   */
  PartService(Channel channel, LocalPart part, PartGuard guard, LockQueue locks) {
    this.channel = channel;
    this.engine = channel.engine();
    this.context = WindowContexts.requests(channel);
    this.answers = WindowContexts.answers(channel);
    this.part = part;
    this.guard = guard;
    this.locks = locks;
    this.origins = new Origin[channel.size()];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = new Origin();
    }
  }

  /** Starts to serve. */
  void start() {
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = Arena.ofAuto().allocate(AccessRequest.LONGEST, 64);
      receive(i);
    }
    engine.register(this);
  }

  private void receive(int i) {
    receives[i] = engine.irecv(Memory.NATIVE, slots[i], Raw.address(slots[i]), AccessRequest.LONGEST, BYTE,
        Constants.ANY_SOURCE, context, REQUEST_TAG);
  }

  /** Stops serving. Requires that all ranks have completed their accesses. */
  void stop() {
    serving.lock();
    try {
      stopped = true;
      for (Operation receive : receives) {
        receive.cancel();
      }
      complete();
    } finally {
      serving.unlock();
    }
  }

  @Override
  public long matchingContext() {
    return -1;
  }

  @Override
  public boolean advance() {
    if (serving.isHeldByCurrentThread() || !serving.tryLock()) {
      return false;
    }
    try {
      boolean moved = locks.grantAcquired();
      for (int i = 0; i < REQUESTS_PER_CALL && !stopped && receives[slot].isDone(); i++) {
        if (receives[slot].error() != null) {
          return moved; // a rank has failed, or all others have finalized, or the job has ended
        }
        accept(Raw.address(slots[slot]));
        engine.release(receives[slot]);
        receive(slot);
        slot = (slot + 1) % SLOTS;
        moved = true;
      }
      for (int i = busy.size() - 1; i >= 0; i--) {
        Origin origin = busy.get(i);
        moved |= advance(origin);
        if (origin.isIdle()) {
          origin.busy = false;
          Origin last = busy.removeLast();
          if (last != origin) {
            busy.set(i, last);
          }
        }
      }
      return moved;
    } finally {
      serving.unlock();
    }
  }

  private static boolean advance(Origin origin) {
    boolean moved = false;
    while (!origin.transfers.isEmpty() && isComplete(origin.transfers.peek().operation)) {
      origin.transfers.remove();
      moved = true;
    }
    while (!origin.tasks.isEmpty() && origin.tasks.peek().run()) {
      origin.tasks.remove();
      moved = true;
    }
    return moved;
  }

  /** Returns whether an operation is complete; some advance only in the thread that asks. */
  private static boolean isComplete(Operation operation) {
    return operation.isDone() || operation.advance() && operation.isDone();
  }

  // ---- requests

  private void accept(long request) {
    int rank = RequestLayout.getPlainRank(request);
    if (rank < 0 || rank >= origins.length) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window from rank " + rank);
    }
    Origin origin = origins[rank];
    accept(request, origin, channel.peer(rank));
    if (!origin.busy && !origin.isIdle()) {
      origin.busy = true;
      busy.add(origin);
    }
  }

  private void accept(long request, Origin origin, int peer) {
    int kind = RequestLayout.getPlainKind(request);
    int tag = RequestLayout.getPlainTag(request);
    if (kind == AccessRequest.FLUSH) {
      if (!origin.isIdle()) {
        origin.tasks.add(() -> origin.transfers.isEmpty() && answer(origin, peer, tag));
      } else {
        answer(origin, peer, tag);
      }
      return;
    }
    int flags = RequestLayout.getPlainFlags(request);
    if (kind == AccessRequest.LOCK) {
      locks.request(peer, tag, (flags & AccessRequest.EXCLUSIVE) != 0);
      return;
    }
    if (kind == AccessRequest.UNLOCK) {
      origin.tasks.add(() -> {
        locks.release((flags & AccessRequest.EXCLUSIVE) != 0);
        return true;
      });
      return;
    }
    int planBytes = RequestLayout.getPlainPlanBytes(request);
    boolean follows = (flags & AccessRequest.PLAN_FOLLOWS) != 0;
    Access access = new Access(
        kind, tag, flags, peer, RequestLayout.getPlainPosition(request), RequestLayout.getPlainCount(request),
        RequestLayout.getPlainDataBytes(request), RequestLayout.getPlainOperation(request),
        RequestLayout.getPlainUnit(request));
    long body = RequestLayout.bodyAddress(request);
    byte[] data = (flags & AccessRequest.DATA_INSIDE) == 0 ? null : copy(body + (follows ? 0 : planBytes), access);
    if (planBytes == 0) {
      runOrQueue(origin, access, BYTE, data);
    } else if (follows) {
      receivePlan(origin, access, planBytes, data);
    } else {
      runOrQueue(origin, access, Plan.unflatten(body, planBytes), data);
    }
  }

  /** An access as its request describes it. */
  private record Access(
      int kind, int tag, int flags, int peer, long position, long count, long bytes, int op, int unit) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  private static byte[] copy(long from, Access access) {
    long n = access.kind == AccessRequest.SWAP ? 2 * access.bytes : access.bytes;
    if (n < 0 || n > AccessRequest.INSIDE) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window with " + n + " bytes of data inside");
    }
    byte[] data = new byte[(int) n];
    Memory.write(Memory.BYTES, data, 0, from, n);
    return data;
  }

  /** Receives a long plan. Later requests of the origin wait for it, so that their order is kept. */
  private void receivePlan(Origin origin, Access access, int bytes, byte[] data) {
    MemorySegment flat = Arena.ofAuto().allocate(bytes, 8);
    Operation receive = engine.irecv(
        Memory.NATIVE, flat, Raw.address(flat), bytes, BYTE, access.peer, context, access.tag);
    Task[] task = new Task[1];
    origin.tasks.add(() -> {
      if (task[0] == null) {
        if (!isComplete(receive)) {
          return false;
        }
        task[0] = newTask(origin, access, Plan.unflatten(Raw.address(flat), bytes), data);
      }
      return task[0].run();
    });
  }

  private void runOrQueue(Origin origin, Access access, Plan plan, byte[] data) {
    Task task = newTask(origin, access, plan, data);
    if (!origin.tasks.isEmpty() || !task.run()) {
      origin.tasks.add(task);
    }
  }

  /** Returns the task that performs an access, or refuses it. */
  private Task newTask(Origin origin, Access access, Plan plan, byte[] data) {
    LocalPart.Place place;
    try {
      place = part.locate(access.position, access.count, plan);
    } catch (MpiException e) {
      return refusal(origin, access, data, e);
    }
    return switch (access.kind) {
      case AccessRequest.PUT -> data == null
          ? () -> place.isAccessible()
              && receive(origin, access, place.kind(), place.owner(), place.offset(), access.count, plan)
          : () -> PartMemory.put(place, access.count, plan, data);
      case AccessRequest.GET -> () -> {
        if (!place.isAccessible()) {
          return false;
        }
        send(origin, engine.isend(Engine.STANDARD, place.kind(), place.owner(), place.offset(), access.count, plan,
            access.peer, answers, access.tag), null);
        return true;
      };
      case AccessRequest.COMBINE -> new Combining(origin, access, place, plan, data);
      case AccessRequest.SWAP -> () -> swap(origin, access, place, plan, data);
      default -> throw new MpiException(ErrorClass.ERR_INTERN, "request to a window of kind " + access.kind);
    };
  }

  private boolean receive(
      Origin origin, Access access, int kind, Object owner, long offset, long count, Plan plan) {
    Operation receive = engine.irecv(kind, owner, offset, count, plan, access.peer, context, access.tag);
    origin.transfers.add(new Transfer(receive, owner));
    return true;
  }

  /** Returns the task of an access outside the part: it completes the messages; the next flush reports the error. */
  private Task refusal(Origin origin, Access access, byte[] data, MpiException error) {
    return () -> {
      origin.failure = origin.failure == null ? error : origin.failure;
      if (data == null && (access.kind == AccessRequest.PUT || access.has(AccessRequest.HAS_DATA))) {
        MemorySegment discarded = Arena.ofAuto().allocate(access.bytes + 1, 64);
        receive(origin, access, Memory.NATIVE, discarded, Raw.address(discarded), access.bytes, BYTE);
      }
      if (access.kind == AccessRequest.GET || access.has(AccessRequest.WANTS_RESULT)) {
        send(origin, engine.isend(
            Engine.STANDARD, Memory.BYTES, new byte[0], 0, 0, BYTE, access.peer, answers, access.tag), null);
      }
      return true;
    };
  }

  private static void send(Origin origin, Operation sent, Object owner) {
    if (!sent.isDone()) {
      origin.transfers.add(new Transfer(sent, owner));
    }
  }

  /** Answers a flush: with an empty message, or with class and text of the first error since the last flush. */
  private boolean answer(Origin origin, int peer, int tag) {
    byte[] text = {};
    if (origin.failure != null) {
      text = (origin.failure.errorClass().code() + " " + origin.failure.getMessage()).getBytes(StandardCharsets.UTF_8);
      text = Arrays.copyOf(text, Math.min(text.length, LONGEST_ANSWER));
      origin.failure = null;
    }
    send(origin, engine.isend(
        Engine.STANDARD, Memory.BYTES, text, 0, text.length, BYTE, peer, answers, tag), text);
    return true;
  }

  /** Returns the error in an answer to a flush, or null. */
  static MpiException failure(byte[] answer, long length) {
    if (length == 0) {
      return null;
    }
    String text = new String(answer, 0, (int) length, StandardCharsets.UTF_8);
    int space = text.indexOf(' ');
    ErrorClass errorClass =
        ErrorClass.ofCode(Integer.parseInt(text.substring(0, space))).orElse(ErrorClass.ERR_OTHER);
    return new MpiException(errorClass, text.substring(space + 1));
  }

  private Combination combination(Access access) {
    PredefinedOp[] ops = PredefinedOp.values();
    if (access.op < 0 || access.op >= ops.length) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window with the operation " + access.op);
    }
    AccumulateUnit unit = AccumulateUnit.ofCode(access.unit);
    return Combination.of(ops[access.op], unit);
  }

  /** Combines elements once they have arrived. */
  private final class Combining implements Task {
    private final Origin origin;
    private final Access access;
    private final LocalPart.Place place;
    private final Plan plan;
    private final Combination how;
    /** Packed elements that came in the request; null otherwise. */
    private final byte[] inside;
    /** Packed elements that follow the request; null otherwise. */
    private final MemorySegment data;
    private Operation arriving;

    Combining(Origin origin, Access access, LocalPart.Place place, Plan plan, byte[] inside) {
      this.origin = origin;
      this.access = access;
      this.place = place;
      this.plan = plan;
      this.how = combination(access);
      this.inside = inside;
      boolean follow = access.has(AccessRequest.HAS_DATA) && inside == null;
      this.data = follow ? Arena.ofAuto().allocate(access.bytes + 1, 64) : null;
      if (follow) {
        arriving = engine.irecv(
            Memory.NATIVE, data, Raw.address(data), access.bytes, BYTE, access.peer, context, access.tag);
      }
    }

    @Override
    public boolean run() {
      if (arriving != null && !isComplete(arriving) || !place.isAccessible()) {
        return false;
      }
      if (arriving != null && arriving.error() != null) {
        return true; // the origin has died, and not all of its elements are here
      }
      MemorySegment result = access.has(AccessRequest.WANTS_RESULT) ? resultMemory(access.bytes) : null;
      combine(access, place, plan, how, inside == null ? data : staged(inside), result);
      if (result != null) {
        reply(origin, access, result);
      }
      return true;
    }
  }

  /** Combines elements; long runs piece by piece, so that ranks of this node can access the part in between. */
  private void combine(
      Access access, LocalPart.Place place, Plan plan, Combination how, MemorySegment data, MemorySegment result) {
    long most = plan == BYTE ? PartGuard.pieceBytes(how.unit().size()) : access.count;
    for (long done = 0; done < access.count; done += most) {
      long n = Math.min(most, access.count - done);
      LocalPart.Place there =
          done == 0 ? place : new LocalPart.Place(place.kind(), place.owner(), place.offset() + done);
      long locked = guard.lock(access.position + done, n, plan);
      try {
        PartMemory.combine(there, n, plan, how, rest(data, done), rest(result, done));
      } finally {
        guard.unlock(locked);
      }
    }
  }

  private static MemorySegment rest(MemorySegment data, long from) {
    return data == null || from == 0 ? data : data.asSlice(from);
  }

  /** Copies short data to memory with an address, which the next call overwrites. */
  private MemorySegment staged(byte[] inside) {
    Memory.read(Memory.BYTES, inside, 0, Raw.address(stage), inside.length);
    return stage;
  }

  /** Returns memory for a result, which {@link #reply} sends. */
  private MemorySegment resultMemory(long bytes) {
    if (bytes > AccessRequest.INSIDE) {
      return Arena.ofAuto().allocate(bytes, 64);
    }
    if (shortResult == null) {
      shortResult = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
    }
    return shortResult;
  }

  private void reply(Origin origin, Access access, MemorySegment result) {
    Operation sent = engine.isend(Engine.STANDARD, Memory.NATIVE, result, Raw.address(result), access.bytes, BYTE,
        access.peer, answers, access.tag);
    if (result == shortResult && !sent.isDone()) {
      shortResult = null; // the message still reads it
    }
    send(origin, sent, result);
  }

  private boolean swap(Origin origin, Access access, LocalPart.Place place, Plan plan, byte[] data) {
    if (!place.isAccessible()) {
      return false;
    }
    MemorySegment result = resultMemory(access.bytes);
    long locked = guard.lock(access.position, access.count, plan);
    try {
      PartMemory.swap(place, plan, data, (int) access.bytes, result);
    } finally {
      guard.unlock(locked);
    }
    reply(origin, access, result);
    return true;
  }
}
