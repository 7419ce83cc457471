// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Serves the accesses of all ranks to this rank's part, whenever this rank makes progress: it receives requests in the
 * order in which they come, starts puts and gets at once, and performs the accumulates of each origin in order. Where
 * the order of messages is {@linkplain Engine#choices chosen}, those of all origins are performed in one order. The
 * operation stays registered with the engine until the window is closed. One thread at a time serves.
 */
final class PartService extends Operation {
  /** Tag of requests. */
  static final int REQUEST_TAG = 0;
  /** Plan of requests and answers. */
  static final Plan BYTE = ServedMessages.BYTE;

  /** Longest answer to a flush, in bytes. */
  static final int LONGEST_ANSWER = 1024;

  private static final int SLOTS = 4;
  private static final int REQUESTS_PER_CALL = 16;

  private final Channel channel;
  private final Engine engine;
  private final LocalPart part;
  private final ServedMessages messages;
  private final ServedUpdates updates;
  private final ReentrantLock serving = new ReentrantLock();
  private final MemorySegment[] slots = new MemorySegment[SLOTS];
  private final Operation[] receives = new Operation[SLOTS];
  private int slot;
  private final ServedOrigin[] origins;
  /** Origins with accesses under way: the only ones that {@link #advance()} visits. */
  private final ArrayList<ServedOrigin> busy = new ArrayList<>();
  private boolean stopped;
  private final LockQueue locks;

  /**
   * Creates a service that {@link #start} has to start.
   *
   * @param guard serializes accumulates with those of ranks that reach the part
   * @param locks grants the lock of the part
   */
  PartService(Channel channel, LocalPart part, PartGuard guard, LockQueue locks) {
    this.channel = channel;
    this.engine = channel.engine();
    StagingMemory staging = new StagingMemory();
    this.part = part;
    this.messages = new ServedMessages(channel);
    this.updates = new ServedUpdates(messages, staging, guard);
    this.locks = locks;
    this.origins = new ServedOrigin[channel.size()];
    boolean inOneOrder = engine.choices() != null;
    ArrayDeque<ServedOrigin.Task> common = new ArrayDeque<>();
    for (int i = 0; i < origins.length; i++) {
      origins[i] = new ServedOrigin(staging, inOneOrder ? common : new ArrayDeque<>());
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
        Constants.ANY_SOURCE, WindowContexts.requests(channel), REQUEST_TAG);
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
      for (int i = 0; i < REQUESTS_PER_CALL && !stopped && ServedOrigin.isComplete(receives[slot]); i++) {
        if (receives[slot].error() != null) {
          return moved; // a rank has failed, or all others have finalized, or the job has ended
        }
        acceptNext();
        moved = true;
      }
      for (int i = busy.size() - 1; i >= 0; i--) {
        ServedOrigin origin = busy.get(i);
        moved |= origin.advance();
        if (origin.isIdle()) {
          origin.busy = false;
          ServedOrigin last = busy.removeLast();
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

  // ---- requests

  /** Accepts the request in the current slot, which then receives another one. */
  private void acceptNext() {
    try {
      accept(Raw.address(slots[slot]));
    } finally {
      engine.release(receives[slot]);
      receive(slot);
      slot = (slot + 1) % SLOTS;
    }
  }

  private void accept(long request) {
    int rank = RequestLayout.getPlainRank(request);
    if (rank < 0 || rank >= origins.length) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window from rank " + rank);
    }
    ServedOrigin origin = origins[rank];
    accept(request, origin, channel.peer(rank));
    if (!origin.busy && !origin.isIdle()) {
      origin.busy = true;
      busy.add(origin);
    }
  }

  private void accept(long request, ServedOrigin origin, int peer) {
    int kind = RequestLayout.getPlainKind(request);
    int tag = RequestLayout.getPlainTag(request);
    if (kind == AccessRequest.FLUSH) {
      origin.runOrQueue(() -> !origin.hasTransfers() && answer(origin, peer, tag));
      return;
    }
    int flags = RequestLayout.getPlainFlags(request);
    if (kind == AccessRequest.LOCK) {
      locks.request(peer, tag, (flags & AccessRequest.EXCLUSIVE) != 0);
      return;
    }
    if (kind == AccessRequest.UNLOCK) {
      origin.queue(() -> {
        locks.release((flags & AccessRequest.EXCLUSIVE) != 0);
        return true;
      });
      return;
    }
    int planBytes = RequestLayout.getPlainPlanBytes(request);
    boolean follows = (flags & AccessRequest.PLAN_FOLLOWS) != 0;
    ServedAccess access = ServedAccess.of(request, peer);
    long body = RequestLayout.bodyAddress(request);
    byte[] data = (flags & AccessRequest.DATA_INSIDE) == 0 ? null : copy(body + (follows ? 0 : planBytes), access);
    if (planBytes == 0) {
      origin.runOrQueue(newTask(origin, access, ServedMessages.RUN, data));
    } else if (follows) {
      receivePlan(origin, access, planBytes, data);
    } else {
      origin.runOrQueue(newTask(origin, access, body, planBytes, data));
    }
  }

  private static byte[] copy(long from, ServedAccess access) {
    long n = access.kind() == AccessRequest.SWAP ? 2 * access.bytes() : access.bytes();
    if (n < 0 || n > AccessRequest.INSIDE) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window with " + n + " bytes of data inside");
    }
    byte[] data = new byte[(int) n];
    Memory.write(Memory.BYTES, data, 0, from, n);
    return data;
  }

  /** Receives a long plan. Later requests of the origin wait for it, so that their order is kept. */
  private void receivePlan(ServedOrigin origin, ServedAccess access, int bytes, byte[] data) {
    try {
      MemorySegment flat = Arena.ofAuto().allocate(bytes, 8);
      Operation receive = messages.receive(access, flat, bytes, BYTE);
      origin.queue(new AccessAfterPlan(origin, access, flat, receive, data));
    } catch (OutOfMemoryError e) {
      messages.discard(origin, access);
      origin.runOrQueue(messages.refusal(origin, access, ServedOrigin.translate(e)));
    }
  }

  /** An access whose plan is on its way. */
  private final class AccessAfterPlan implements ServedOrigin.Task {
    private final ServedOrigin origin;
    private final ServedAccess access;
    private final MemorySegment flat;
    private final Operation receive;
    private final byte[] data;
    /** The access itself, once the plan is here. */
    private ServedOrigin.Task task;

    AccessAfterPlan(ServedOrigin origin, ServedAccess access, MemorySegment flat, Operation receive, byte[] data) {
      this.origin = origin;
      this.access = access;
      this.flat = flat;
      this.receive = receive;
      this.data = data;
    }

    @Override
    public boolean run() {
      if (task == null) {
        if (!ServedOrigin.isComplete(receive)) {
          return false;
        }
        task = receive.error() != null
            ? messages.refusal(origin, access, receive.error())
            : newTask(origin, access, Raw.address(flat), (int) flat.byteSize(), data);
      }
      return task.run();
    }

    @Override
    public void refuse(MpiException error) {
      task.refuse(error);
    }
  }

  private ServedOrigin.Task newTask(ServedOrigin origin, ServedAccess access, long plan, int planBytes, byte[] data) {
    try {
      return newTask(origin, access, Plan.unflatten(plan, planBytes), data);
    } catch (RuntimeException | OutOfMemoryError e) {
      return messages.refusal(origin, access, ServedOrigin.translate(e));
    }
  }

  /** Returns the task that performs an access, or refuses it. */
  private ServedOrigin.Task newTask(ServedOrigin origin, ServedAccess access, Plan plan, byte[] data) {
    try {
      LocalPart.Place place = part.locate(access.position(), access.count(), plan);
      return switch (access.kind()) {
        case AccessRequest.PUT -> new Simple(origin, access, data == null
            ? () -> receive(origin, access, place, plan)
            : () -> PartMemory.put(place, access.count(), plan, data));
        case AccessRequest.GET -> new Simple(origin, access, () -> send(origin, access, place, plan));
        case AccessRequest.COMBINE -> updates.combining(origin, access, place, plan, data);
        case AccessRequest.SWAP ->
            new Simple(origin, access, () -> updates.swap(origin, access, place, plan, data));
        default -> throw new MpiException(ErrorClass.ERR_INTERN, "request to a window of kind " + access.kind());
      };
    } catch (RuntimeException | OutOfMemoryError e) {
      return messages.refusal(origin, access, ServedOrigin.translate(e));
    }
  }

  /** An access in one step, which is refused as long as it has sent and received nothing. */
  private final class Simple implements ServedOrigin.Task {
    private final ServedOrigin origin;
    private final ServedAccess access;
    private final BooleanSupplier step;

    Simple(ServedOrigin origin, ServedAccess access, BooleanSupplier step) {
      this.origin = origin;
      this.access = access;
      this.step = step;
    }

    @Override
    public boolean run() {
      return step.getAsBoolean();
    }

    @Override
    public void refuse(MpiException error) {
      messages.refuse(origin, access, access.isFollowed(), error);
    }
  }

  private boolean receive(ServedOrigin origin, ServedAccess access, LocalPart.Place into, Plan plan) {
    if (!into.isAccessible()) {
      return false;
    }
    messages.receive(origin, access, into, plan);
    return true;
  }

  private boolean send(ServedOrigin origin, ServedAccess access, LocalPart.Place from, Plan plan) {
    if (!from.isAccessible()) {
      return false;
    }
    messages.send(origin, access, from, plan);
    return true;
  }

  /** Answers a flush: with an empty message, or with class and text of the first error since the last flush. */
  private boolean answer(ServedOrigin origin, int peer, int tag) {
    byte[] text = {};
    MpiException failure = origin.removeFailure();
    if (failure != null) {
      text = (failure.errorClass().code() + " " + failure.getMessage()).getBytes(StandardCharsets.UTF_8);
      text = Arrays.copyOf(text, Math.min(text.length, LONGEST_ANSWER));
    }
    messages.send(origin, text, peer, tag);
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
}
