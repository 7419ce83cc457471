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
 * Serves the accesses of all ranks to this rank's part, whenever this rank makes progress: receives requests in the
 * order in which they come, begins puts and gets at once, and does the accumulating calls of each origin one after the
 * other. An operation that stays registered with the engine until the window is closed. One thread at a time serves.
 */
final class PartService extends Operation {
  /** Tag of requests. */
  static final int REQUEST_TAG = 0;
  static final Plan BYTE = TypeHandle.planOf(Datatype.BYTE);

  /** Most bytes of the answer to a flush. */
  static final int LONGEST_ANSWER = 1024;

  private static final int SLOTS = 4;
  private static final int REQUESTS_PER_CALL = 16;

  private final Channel channel;
  private final Engine engine;
  /** Context of requests and what follows them. */
  private final long context;
  /** Context of what is sent back: both of two ranks may be origins, and each counts its own tags. */
  private final long answers;
  private final OwnPart part;
  private final PartGuard guard;
  private final ReentrantLock serving = new ReentrantLock();
  private final MemorySegment[] slots = new MemorySegment[SLOTS];
  private final Operation[] receives = new Operation[SLOTS];
  private int slot;
  private final Origin[] origins;
  /** Origins for which something is under way: as many as there are have to be looked at, not all ranks. */
  private final ArrayList<Origin> busy = new ArrayList<>();
  /** Short data that are being combined. */
  private final MemorySegment stage = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
  /** For the next short result; null when a message still has the last one. */
  private MemorySegment resultRoom;
  private boolean ended;
  private final LockQueue locks;

  /** What one origin has asked for and is not over. */
  private static final class Origin {
    /** Transfers that run; they are over in any order. */
    final ArrayDeque<Transfer> transfers = new ArrayDeque<>();
    /** Accumulating calls, and what has to come after them, in order. */
    final ArrayDeque<Task> tasks = new ArrayDeque<>();
    /** What has gone wrong first since the last flush; null for nothing. */
    MpiException failure;
    /** It is among the busy ones. */
    boolean busy;

    boolean isIdle() {
      return transfers.isEmpty() && tasks.isEmpty();
    }
  }

  /** A message that runs, and what it needs meanwhile. */
  private record Transfer(Operation operation, Object kept) {}

  /** What can be done later; returns whether it is done. */
  private interface Task {
    boolean run();
  }

  /**
   * Creates it; nothing is served yet.
   *
   * @param guard against ranks that combine elements of the part by themselves
   * @param locks gives the lock of the part
   */
  PartService(Channel channel, OwnPart part, PartGuard guard, LockQueue locks) {
    this.channel = channel;
    this.engine = channel.engine();
    this.context = channel.pointToPoint();
    this.answers = channel.partitioned();
    this.part = part;
    this.guard = guard;
    this.locks = locks;
    this.origins = new Origin[channel.size()];
    for (int i = 0; i < origins.length; i++) {
      origins[i] = new Origin();
    }
  }

  /** Begins to serve. */
  void begin() {
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

  /** Serves nobody any more; nothing is under way. */
  void end() {
    serving.lock();
    try {
      ended = true;
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
      for (int i = 0; i < REQUESTS_PER_CALL && !ended && receives[slot].isDone(); i++) {
        if (receives[slot].error() != null) {
          return moved; // nobody is left who could ask, or the job has ended
        }
        accept(Raw.address(slots[slot]));
        engine.release(receives[slot]);
        receive(slot);
        slot = (slot + 1) % SLOTS;
        moved = true;
      }
      for (int i = busy.size() - 1; i >= 0; i--) {
        Origin origin = busy.get(i);
        moved |= goOn(origin);
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

  private static boolean goOn(Origin origin) {
    boolean moved = false;
    while (!origin.transfers.isEmpty() && isOver(origin.transfers.peek().operation)) {
      origin.transfers.remove();
      moved = true;
    }
    while (!origin.tasks.isEmpty() && origin.tasks.peek().run()) {
      origin.tasks.remove();
      moved = true;
    }
    return moved;
  }

  /** Returns whether an operation is complete; some make progress in the threads that ask only. */
  private static boolean isOver(Operation operation) {
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

  /** What a request says of an access. */
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

  /** Receives a long layout. What the origin asks for afterwards waits, so that all stays in order. */
  private void receivePlan(Origin origin, Access access, int bytes, byte[] data) {
    MemorySegment layout = Arena.ofAuto().allocate(bytes, 8);
    Operation receive = engine.irecv(
        Memory.NATIVE, layout, Raw.address(layout), bytes, BYTE, access.peer, context, access.tag);
    Task[] begun = new Task[1];
    origin.tasks.add(() -> {
      if (begun[0] == null) {
        if (!isOver(receive)) {
          return false;
        }
        begun[0] = task(origin, access, Plan.unflatten(Raw.address(layout), bytes), data);
      }
      return begun[0].run();
    });
  }

  private void runOrQueue(Origin origin, Access access, Plan plan, byte[] data) {
    Task task = task(origin, access, plan, data);
    if (!origin.tasks.isEmpty() || !task.run()) {
      origin.tasks.add(task);
    }
  }

  /** Returns what is to be done for an access, in steps that do not wait. */
  private Task task(Origin origin, Access access, Plan plan, byte[] data) {
    OwnPart.Place place;
    try {
      place = part.locate(access.position, access.count, plan);
    } catch (MpiException e) {
      return refusal(origin, access, data, e);
    }
    return switch (access.kind) {
      case AccessRequest.PUT -> data == null
          ? () -> place.isTouchable()
              && receive(origin, access, place.kind(), place.owner(), place.offset(), access.count, plan)
          : () -> PartMemory.put(place, access.count, plan, data);
      case AccessRequest.GET -> () -> {
        if (!place.isTouchable()) {
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

  /** Returns what is to be done for an access to what is not there: its messages end, and its next flush says why. */
  private Task refusal(Origin origin, Access access, byte[] data, MpiException why) {
    return () -> {
      origin.failure = origin.failure == null ? why : origin.failure;
      if (data == null && (access.kind == AccessRequest.PUT || access.has(AccessRequest.HAS_DATA))) {
        MemorySegment lost = Arena.ofAuto().allocate(access.bytes + 1, 64);
        receive(origin, access, Memory.NATIVE, lost, Raw.address(lost), access.bytes, BYTE);
      }
      if (access.kind == AccessRequest.GET || access.has(AccessRequest.WANTS_RESULT)) {
        send(origin, engine.isend(
            Engine.STANDARD, Memory.BYTES, new byte[0], 0, 0, BYTE, access.peer, answers, access.tag), null);
      }
      return true;
    };
  }

  private static void send(Origin origin, Operation sent, Object kept) {
    if (!sent.isDone()) {
      origin.transfers.add(new Transfer(sent, kept));
    }
  }

  /** Answers a flush: with nothing, or with the class and text of what has gone wrong since the last one. */
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

  /** Returns the error that an answer to a flush carries, or null. */
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

  /** Combines elements once they are here. */
  private final class Combining implements Task {
    private final Origin origin;
    private final Access access;
    private final OwnPart.Place place;
    private final Plan plan;
    private final Combination how;
    /** The elements, packed: short ones that came with the request, or longer ones; null where there are none. */
    private final byte[] inside;
    private final MemorySegment data;
    private Operation arriving;

    Combining(Origin origin, Access access, OwnPart.Place place, Plan plan, byte[] inside) {
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
      if (arriving != null && !isOver(arriving) || !place.isTouchable()) {
        return false;
      }
      MemorySegment result = access.has(AccessRequest.WANTS_RESULT) ? room(access.bytes) : null;
      combine(access, place, plan, how, inside == null ? data : staged(inside), result);
      if (result != null) {
        reply(origin, access, result);
      }
      return true;
    }
  }

  /** Combines elements, those of long runs piece by piece, so that others have their turn. */
  private void combine(
      Access access, OwnPart.Place place, Plan plan, Combination how, MemorySegment data, MemorySegment result) {
    long most = plan == BYTE ? PartGuard.most(how.unit().size()) : access.count;
    for (long done = 0; done < access.count; done += most) {
      long n = Math.min(most, access.count - done);
      OwnPart.Place there =
          done == 0 ? place : new OwnPart.Place(place.kind(), place.owner(), place.offset() + done);
      long taken = guard.lock(access.position + done, n, plan);
      try {
        PartMemory.combine(there, n, plan, how, rest(data, done), rest(result, done));
      } finally {
        guard.unlock(taken);
      }
    }
  }

  private static MemorySegment rest(MemorySegment data, long from) {
    return data == null || from == 0 ? data : data.asSlice(from);
  }

  /** Returns short data where they have an address, until the next ones. */
  private MemorySegment staged(byte[] inside) {
    Memory.read(Memory.BYTES, inside, 0, Raw.address(stage), inside.length);
    return stage;
  }

  /** Returns memory for a result, which {@link #reply} sends. */
  private MemorySegment room(long bytes) {
    if (bytes > AccessRequest.INSIDE) {
      return Arena.ofAuto().allocate(bytes, 64);
    }
    if (resultRoom == null) {
      resultRoom = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
    }
    return resultRoom;
  }

  private void reply(Origin origin, Access access, MemorySegment result) {
    Operation sent = engine.isend(Engine.STANDARD, Memory.NATIVE, result, Raw.address(result), access.bytes, BYTE,
        access.peer, answers, access.tag);
    if (result == resultRoom && !sent.isDone()) {
      resultRoom = null; // it is the message's until that has left
    }
    send(origin, sent, result);
  }

  private boolean swap(Origin origin, Access access, OwnPart.Place place, Plan plan, byte[] data) {
    if (!place.isTouchable()) {
      return false;
    }
    MemorySegment result = room(access.bytes);
    long taken = guard.lock(access.position, access.count, plan);
    try {
      PartMemory.swap(place, plan, data, (int) access.bytes, result);
    } finally {
      guard.unlock(taken);
    }
    reply(origin, access, result);
    return true;
  }
}
