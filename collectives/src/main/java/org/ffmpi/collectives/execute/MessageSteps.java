// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.FailedElsewhere;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.WaitNote;

/** The message steps of an {@link Execution}, with the operations in flight by the numbers of their steps. */
final class MessageSteps {
  private static final int FEW_STEPS = 16;

  private final BoundBuffers slots;
  private final LocalSteps local;
  private final ScratchPool pool;
  private final Envelope envelope = new Envelope();
  private final Place copy = new Place();

  private Channel channel;
  private Engine engine;
  private long context;

  /** The context from which each start of a persistent collective gets its own. */
  private long base;

  private long starts;
  private int tag;
  private Schedule schedule;

  /** The operation whose waiter wakes when one in flight completes; null where the waiter awaits each by itself. */
  private Operation parent;

  private Operation[] inFlight = {};

  /** Context of messages that differ from this rank's and are why the call fails, or 0; and their sender. */
  private long cause;

  private int causePeer;

  MessageSteps(BoundBuffers slots, LocalSteps local, ScratchPool pool) {
    this.slots = slots;
    this.local = local;
    this.pool = pool;
  }

  // ---- the course of one collective

  long context() {
    return context;
  }

  int tag() {
    return tag;
  }

  /** Describes the first operation in flight. Racy: another thread may be advancing the call. */
  void describePending(WaitNote note) {
    for (Operation operation : inFlight) {
      if (operation != null && !operation.isDone()) {
        operation.describe(note);
        return;
      }
    }
  }

  void bind(Channel channel, long context, int tag, Schedule schedule) {
    this.channel = channel;
    this.engine = channel.engine();
    this.context = context;
    this.base = context;
    this.starts = 0;
    this.cause = 0;
    this.tag = tag;
    follow(schedule);
  }

  /** Begins the next start of a persistent collective, whose messages are not to match those of others. */
  void restart() {
    context = Channel.started(base, ++starts);
  }

  /** Switches to another schedule of the same call. */
  void follow(Schedule other) {
    schedule = other;
    if (inFlight.length < other.steps.length) {
      inFlight = Arrays.copyOf(inFlight, Math.max(FEW_STEPS, other.steps.length));
    }
  }

  void parent(Operation parent) {
    this.parent = parent;
  }

  /** Clears the state of one call. */
  void unbind() {
    channel = null;
    engine = null;
    schedule = null;
    copy.release();
  }

  // ---- steps

  void send(int rank, Slice what, int number) {
    if (slots.isNothing(what)) {
      return;
    }
    int peer = peer(rank);
    if (what.units() == 0) {
      track(number, engine.isend(
          Engine.STANDARD, Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag));
      return;
    }
    Place place = slots.of(what);
    track(number, engine.isend(Engine.STANDARD, place.kind, place.owner, place.at(slots.from(what)),
        place.count(slots.units(what)), place.plan, peer, context, tag));
  }

  void receive(int rank, Slice into, int number) {
    if (slots.isNothing(into)) {
      return;
    }
    int peer = peer(rank);
    if (into.units() == 0) {
      track(number, engine.irecv(Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag));
      return;
    }
    Place place = slots.of(into);
    track(number, engine.irecv(place.kind, place.owner, place.at(slots.from(into)), place.count(slots.units(into)),
        place.plan, peer, context, tag));
  }

  /** Blocks until the message is there. */
  void receiveNow(Step.Receive receive) {
    Slice into = receive.into();
    if (slots.isNothing(into)) {
      return;
    }
    int peer = peer(receive.rank());
    try {
      if (into.units() == 0) {
        engine.recv(Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag, envelope);
      } else {
        Place place = slots.of(into);
        engine.recv(place.kind, place.owner, place.at(slots.from(into)), place.count(slots.units(into)), place.plan,
            peer, context, tag, envelope);
      }
    } catch (ReceiveException e) {
      throw asCallError(e, receive.rank(), into);
    }
    checkLength(receive.rank(), into, envelope.bytes());
  }

  /** Sends a copy of the slice, so that the other rank's may be received in its place; returns the copied bytes. */
  long swap(Step.Swap swap, int number) {
    Slice what = swap.what();
    if (slots.isNothing(what)) {
      return 0;
    }
    long units = slots.units(what);
    long bytes = units * schedule.shape.unitBytes();
    Place place = slots.of(what);
    ScratchPool.Slab slab = pool.acquire(engine, bytes);
    copy.bind(slab.memory, slab.address, null);
    local.copy(place, slots.from(what), copy, 0, bytes);
    int peer = peer(swap.rank());
    Operation send = engine.isend(
        Engine.STANDARD, Memory.NATIVE, slab.memory, slab.address, bytes, Place.BYTES, peer, context, tag);
    Operation receive = engine.irecv(place.kind, place.owner, place.at(slots.from(what)), place.count(units),
        place.plan, peer, context, tag);
    track(number, new Swapping(send, receive, pool, slab));
    return bytes;
  }

  /** Turns the number by which a step names a rank into a peer. */
  private int peer(int rank) {
    int others = schedule.shape.remote();
    return others > 0 && rank >= others ? channel.local().peer(rank - others) : channel.peer(rank);
  }

  /** Records an operation unless it is complete. Setting the parent checks for completion once more. */
  private void track(int number, Operation operation) {
    if (operation.isDone()) {
      retire(number, operation);
      return;
    }
    if (parent != null) {
      operation.parent(parent);
    }
    inFlight[number] = operation;
  }

  // ---- completion

  /** Returns the operation of a step that is in flight, or null. */
  Operation inFlight(int number) {
    return inFlight[number];
  }

  /** Blocks until a step is complete. */
  void await(int number) {
    Operation operation = inFlight[number];
    if (operation != null) {
      if (!operation.isDone()) {
        engine.await(operation);
      }
      retire(number, operation);
    }
  }

  /** Removes a completed operation from those in flight; throws its error. */
  void retire(int number, Operation operation) {
    inFlight[number] = null;
    MpiException error = operation.error();
    if (error != null) {
      throw asCallError(error, schedule.steps[number]);
    }
    switch (schedule.steps[number]) {
      case Step.Receive receive -> checkLength(operation, receive.rank(), receive.into());
      case Step.Swap swap -> checkLength(operation, swap.rank(), swap.what());
      case Step.Consume consume -> checkLength(operation, consume.rank(), consume.into());
      default -> { }
    }
  }

  private void checkLength(Operation operation, int rank, Slice into) {
    operation.envelope(envelope);
    checkLength(rank, into, envelope.bytes());
  }

  private void checkLength(int rank, Slice into, long bytes) {
    long due = slots.units(into) * schedule.shape.unitBytes();
    if (bytes != due) {
      throw schedule.shape.lengthError(rank, bytes, due);
    }
  }

  // ---- failure

  private MpiException asCallError(MpiException error, Step step) {
    if (!(error instanceof ReceiveException e)) {
      return error;
    }
    return switch (step) {
      case Step.Receive receive -> asCallError(e, receive.rank(), receive.into());
      case Step.Swap swap -> asCallError(e, swap.rank(), swap.what());
      case Step.Consume consume -> asCallError(e, consume.rank(), consume.into());
      default -> error;
    };
  }

  /** Turns the error of a receive into one of the call: its tag and the length of a piece mean nothing to programs. */
  private MpiException asCallError(ReceiveException error, int rank, Slice into) {
    CallShape shape = schedule.shape;
    if (!error.isOfFailedCall()) {
      return shape.lengthError(rank, error.bytes(), slots.units(into) * shape.unitBytes());
    }
    if (isOther(error.context())) {
      return differs(error.peer(), error.context());
    }
    if (error.cause() != 0 && isOther(error.cause())) { // the other rank's call is as wrong as this one
      return differs(error.causePeer(), error.cause());
    }
    ReceiveException seen = channel.findOtherCall(context, tag);
    return seen == null
        ? shape.failedElsewhere(rank(error.peer()), error.errorClass())
        : differs(seen.peer(), seen.context());
  }

  private boolean isOther(long theirs) {
    return Channel.signatureOf(theirs) != Channel.signatureOf(context);
  }

  /** Returns the error of this rank's call, which another one's messages show to differ from theirs. */
  private MpiException differs(int peer, long theirs) {
    cause = theirs;
    causePeer = peer;
    return schedule.shape.differs(rank(peer), Channel.signatureOf(theirs));
  }

  /** Turns a peer into the number by which steps name its rank. */
  private int rank(int peer) {
    int rank = channel.rankOf(peer);
    return rank >= 0 ? rank : schedule.shape.remote() + channel.local().rankOf(peer);
  }

  /**
   * Notifies all ranks that this one has failed, and cancels operations in flight as far as possible.
   *
   * @param error gets later errors as suppressed ones
   * @param started how many steps have been started
   */
  void fail(MpiException error, int started) {
    try {
      if (!(error instanceof FailedElsewhere)) {
        engine.failCall(context, tag, error.errorClass(), cause, causePeer, members());
      }
    } catch (RuntimeException ended) { // the engine has left or the job has ended: the first error is enough
      suppress(ended, error);
    }
    boolean[] hasLater = new boolean[schedule.shape.remote() + schedule.shape.size()];
    for (int i = Math.min(started, schedule.steps.length) - 1; i >= 0; i--) {
      Operation operation = inFlight[i];
      int receiver = receiver(schedule.steps[i]);
      // A later message that is on its way must not be received in the place of one that is cancelled.
      boolean isGone = operation == null || operation.isDone() || receiver >= 0 && hasLater[receiver];
      try {
        isGone = isGone || !operation.cancel();
      } catch (RuntimeException ended) {
        suppress(ended, error);
      }
      if (isGone && receiver >= 0) {
        hasLater[receiver] = true;
      }
    }
  }

  private static int receiver(Step step) {
    return switch (step) {
      case Step.Send send -> send.rank();
      case Step.Deliver deliver -> deliver.rank();
      case Step.Swap swap -> swap.rank();
      default -> -1;
    };
  }

  private int[] members() {
    int[] local = channel.local().toArray();
    if (channel.local() == channel.remote()) {
      return local;
    }
    int[] remote = channel.remote().toArray();
    int[] all = Arrays.copyOf(local, local.length + remote.length);
    System.arraycopy(remote, 0, all, local.length, remote.length);
    return all;
  }

  private static void suppress(RuntimeException ended, MpiException error) {
    if (ended != error) {
      error.addSuppressed(ended);
    }
  }

  /** Returns whether nothing is in flight any more after {@link #fail}. */
  boolean hasEnded() {
    boolean all = true;
    for (int i = 0; i < inFlight.length; i++) {
      Operation operation = inFlight[i];
      if (operation != null && !operation.isDone()) {
        operation.advance();
      }
      if (operation != null && operation.isDone()) {
        inFlight[i] = null;
      }
      all &= inFlight[i] == null;
    }
    return all;
  }

  /**
   * Blocks until nothing is in flight any more after {@link #fail}. An operation that could not be cancelled ends as
   * soon as the other rank makes progress.
   *
   * @param error gets later errors as suppressed ones
   * @return false when the job has ended, and operations may still touch memory
   */
  boolean awaitEnd(MpiException error) {
    boolean all = true;
    for (int i = 0; i < inFlight.length; i++) {
      Operation operation = inFlight[i];
      inFlight[i] = null;
      try {
        if (operation != null && !operation.isDone()) {
          engine.await(operation);
        }
      } catch (RuntimeException ended) {
        suppress(ended, error);
        all = false;
      }
    }
    return all;
  }
}
