// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * The part of an {@link Execution} that takes the steps which are messages, and keeps the operations in flight by the
 * numbers of their steps.
 */
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
  private int tag;
  private Schedule schedule;

  /** Whose waiter is to be woken when an operation completes; null where the waiter waits for each by itself. */
  private Operation parent;

  private Operation[] inFlight = {};

  MessageSteps(BoundBuffers slots, LocalSteps local, ScratchPool pool) {
    this.slots = slots;
    this.local = local;
    this.pool = pool;
  }

  // ---- the course of one collective

  long context() {
    return context;
  }

  void bind(Channel channel, long context, int tag, Schedule schedule) {
    this.channel = channel;
    this.engine = channel.engine();
    this.context = context;
    this.tag = tag;
    follow(schedule);
  }

  /** Goes on with another schedule of the same call. */
  void follow(Schedule other) {
    schedule = other;
    if (inFlight.length < other.steps.length) {
      inFlight = Arrays.copyOf(inFlight, Math.max(FEW_STEPS, other.steps.length));
    }
  }

  void parent(Operation parent) {
    this.parent = parent;
  }

  /** Forgets everything that belongs to one call. */
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
      watch(number, engine.isend(
          Engine.STANDARD, Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag));
      return;
    }
    Place place = slots.of(what);
    watch(number, engine.isend(Engine.STANDARD, place.kind, place.owner, place.at(slots.from(what)),
        place.count(slots.units(what)), place.plan, peer, context, tag));
  }

  void receive(int rank, Slice into, int number) {
    if (slots.isNothing(into)) {
      return;
    }
    int peer = peer(rank);
    if (into.units() == 0) {
      watch(number, engine.irecv(Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag));
      return;
    }
    Place place = slots.of(into);
    watch(number, engine.irecv(place.kind, place.owner, place.at(slots.from(into)), place.count(slots.units(into)),
        place.plan, peer, context, tag));
  }

  /** Blocks until the message is there. */
  void receiveNow(Step.Receive receive) {
    Slice into = receive.into();
    if (slots.isNothing(into)) {
      return;
    }
    int peer = peer(receive.rank());
    if (into.units() == 0) {
      engine.recv(Memory.NATIVE, MemorySegment.NULL, 0, 0, Place.BYTES, peer, context, tag, envelope);
    } else {
      Place place = slots.of(into);
      engine.recv(place.kind, place.owner, place.at(slots.from(into)), place.count(slots.units(into)), place.plan,
          peer, context, tag, envelope);
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
    watch(number, new Swapping(send, receive, pool, slab));
    return bytes;
  }

  /** Turns the number by which a step names a rank into a peer. */
  private int peer(int rank) {
    int others = schedule.shape.remote();
    return others > 0 && rank >= others ? channel.local().peer(rank - others) : channel.peer(rank);
  }

  /** Remembers an operation unless it is over. Its completion is looked at again after the parent has been named. */
  private void watch(int number, Operation operation) {
    if (operation.isDone()) {
      settle(number, operation);
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
      settle(number, operation);
    }
  }

  /** Takes note of a completed operation; throws its error. */
  void settle(int number, Operation operation) {
    inFlight[number] = null;
    MpiException error = operation.error();
    if (error != null) {
      throw error;
    }
    switch (schedule.steps[number]) {
      case Step.Receive receive -> checkLength(operation, receive.rank(), receive.into());
      case Step.Swap swap -> checkLength(operation, swap.rank(), swap.what());
      case Step.Consume take -> checkLength(operation, take.rank(), take.into());
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
      throw CallShape.lengthError(schedule.shape.collective(), rank, bytes, due);
    }
  }

  /**
   * Cancels what is in flight because of an error.
   *
   * @return true when some of it may still touch the memory of the slots
   */
  boolean cancelAll(MpiException error) {
    boolean pending = false;
    for (int i = 0; i < inFlight.length; i++) {
      Operation operation = inFlight[i];
      inFlight[i] = null;
      if (operation != null && !operation.isDone()) {
        try {
          operation.cancel();
        } catch (RuntimeException ended) { // the engine has left or the job has ended: the first error says it
          if (ended != error) {
            error.addSuppressed(ended);
          }
        }
        pending |= !operation.isDone();
      }
    }
    return pending;
  }
}
