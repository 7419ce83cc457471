// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.util.function.BooleanSupplier;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * The region steps of an {@link Execution}, for a collective with a number of its own there. Does nothing for
 * executions that are bound to no region.
 */
public final class RegionSteps {
  /** Unsuccessful looks after which a wait is no longer short: some microseconds. */
  private static final int SHORT_WAIT = 128;

  private static final int LOOKS_PER_QUESTION = 32;

  /** Result of {@link #execute} when the step's block has to be sent or received. */
  static final long BY_MESSAGE = -1;

  private final BoundBuffers slots;
  private final LocalSteps local;
  private final Place shown = new Place();
  private final LentBuffers lent = new LentBuffers();
  private final RegionBlockTable blocks;
  private final WaitSubject execution;
  private final Availability availability = new Availability();

  /** Null where the schedule has no such steps. */
  private Region region;

  /** The region's number of this collective. */
  private long number;

  private Engine engine;
  private Schedule schedule;
  private Plan elements;
  private ReduceKernel kernel;
  private boolean refused;
  private int skipped;

  /** Whether the region serves this collective alone, of which at most one start is in flight. */
  private boolean isAlone;

  /** Whether the collective has ended in the region, though perhaps not yet for this rank. */
  private boolean isOver;

  /**
   * Creates the steps, which are bound to no region yet.
   *
   * @param slots the execution's slots
   * @param local does the copying and combining
   * @param pool has scratch memory for blocks that no other rank can read in their buffers
   * @param execution describes the call
   */
  RegionSteps(BoundBuffers slots, LocalSteps local, ScratchPool pool, WaitSubject execution) {
    this.execution = execution;
    this.slots = slots;
    this.local = local;
    this.blocks = new RegionBlockTable(slots, local, pool);
  }

  // ---- the course of one collective

  /**
   * Returns the collective's number in the communicator's region, which ends there at once when it has no steps in
   * it.
   */
  long bind(Engine engine, Region region, Schedule schedule, Plan elements, ReduceKernel kernel) {
    if (!schedule.isShared) {
      return region.beginByMessages(schedule.callSignature);
    }
    bindOwn(engine, region, schedule, elements, kernel);
    isAlone = false;
    number = region.begin(schedule.callSignature);
    return number;
  }

  /** Binds the steps to a collective that has begun in the communicator's region. */
  void bindBegun(Engine engine, Region region, Schedule schedule, long begun) {
    bindOwn(engine, region, schedule, null, null);
    isAlone = false;
    number = begun;
  }

  /** Binds a persistent collective to a region that serves nothing else; each start has a number there. */
  void bindOwn(Engine engine, Region region, Schedule schedule, Plan elements, ReduceKernel kernel) {
    this.engine = engine;
    this.region = region;
    this.schedule = schedule;
    this.elements = elements;
    this.kernel = kernel;
    refused = false;
    isAlone = true;
    isOver = false;
    blocks.begin();
  }

  /** Ends the collective in the region without a step. */
  void skip() {
    if (region != null) {
      region.finish(number);
      unbind();
    }
  }

  /** Starts a collective that other threads than the caller's may complete. */
  void begin() {
    if (region == null) {
      return;
    }
    isOver = false;
    if (isAlone) {
      number = region.begin(schedule.callSignature);
      blocks.begin();
    } else {
      region.detach();
    }
  }

  boolean isBound() {
    return region != null;
  }

  /** Ends a collective that {@link #begin} has not started. */
  void finish() {
    blocks.end();
    region.finish(number);
  }

  /** Ends a collective that {@link #begin} has started. */
  void finishDetached() {
    if (region != null) {
      blocks.end();
      leave();
    }
  }

  /**
   * Ends in the region a collective that {@link #begin} has started and that has no step left there, so that the calls
   * of other ranks do not wait for its messages.
   */
  void leave() {
    if (region == null || isOver) {
      return;
    }
    isOver = true;
    if (isAlone) {
      region.finish(number);
    } else {
      region.finishDetached(number);
    }
  }

  /**
   * Ends a collective that has failed. Other ranks may still read what it has published.
   *
   * @param memory memory beside the slots that they may read
   * @return false when no other rank reads memory of this one
   */
  boolean fail(boolean detached, Object memory) {
    if (region == null) {
      return false;
    }
    region.retain(number, new Object[] {memory, slots.owners(), blocks.abandon()});
    if (!isOver) {
      region.fail(number, detached && !isAlone);
    }
    return true;
  }

  /** Leaves a region of its own. */
  void close() {
    blocks.release();
    if (region != null) {
      region.close();
    }
  }

  /** Clears the state of one call. */
  void unbind() {
    region = isAlone ? region : null; // one of its own is still to be closed
    engine = null;
    schedule = null;
    elements = null;
    kernel = null;
    refused = false;
    shown.release();
  }

  // ---- steps

  /** The condition that a blocking call awaits. */
  private final class Availability implements BooleanSupplier, WaitSubject {
    private Step step;
    private int looks;

    @Override
    public boolean getAsBoolean() {
      // The line that shows a departure is one that the other rank writes often, and so is not read at every look.
      boolean asks = ++looks > SHORT_WAIT || looks % LOOKS_PER_QUESTION == 0;
      return asks ? isAvailable(step) : isReady(step);
    }

    @Override
    public void describe(WaitNote note) {
      execution.describe(note);
      RegionSteps.this.describe(step, note);
    }
  }

  /** Names the rank that a step waits for. Racy: another thread may be advancing the call. */
  void describe(Step step, WaitNote note) {
    Region used = region;
    int rank = used == null || step == null || isReady(step) ? -1 : switch (step) {
      case Step.Fetch f -> f.rank();
      case Step.Combine c -> c.rank();
      case Step.Vote v -> v.rank() == Step.ALL ? used.findAbsent(number) : v.rank();
      case Step.Until u -> u.rank();
      case Step.Deliver g -> g.rank();
      case Step.Consume t -> t.rank();
      default -> used.findUnfinished(number);
    };
    if (rank >= 0) {
      note.peer(used.peer(rank));
    }
  }

  /** Blocks until a step can be executed. */
  void await(Step step) {
    if (!isReady(step)) {
      availability.step = step;
      availability.looks = 0;
      region.memory().await(availability);
    }
  }

  private boolean isReady(Step step) {
    return switch (step) {
      case Step.Publish p -> region.isFree(number);
      case Step.Lend o -> region.isFree(number);
      case Step.Fetch f -> region.isPublished(f.rank(), number);
      case Step.Combine c -> region.isPublished(c.rank(), number);
      case Step.Vote v -> v.rank() == Step.ALL ? region.isPublishedByAll(number) : region.isPublished(v.rank(), number);
      case Step.Until u -> region.hasReached(u.rank(), number, u.milestone());
      case Step.Stage s -> true;
      case Step.Pull p -> true;
      case Step.PullReduce p -> true;
      case Step.Reach r -> region.isFree(number);
      case Step.PublishBlocks s -> region.isFree(number);
      case Step.Deliver g -> !awaitsReader(g) || RegionBlockTable.isAcknowledged(region, number, g.rank());
      case Step.Consume t -> t.afterwards() || slots.units(t.into()) == 0 || region.isPublished(t.rank(), number);
      case Step.Acknowledge t -> !blocks.hasBorrowed() || region.isFree(number);
      default -> throw new AssertionError(step);
    };
  }

  /** Returns whether a step waits for a rank to read a block that is lent. */
  private boolean awaitsReader(Step.Deliver deliver) {
    return deliver.afterwards()
        && RegionBlockTable.isLent(RegionBlockTable.find(region, number, schedule.shape.rank(), deliver.entry()));
  }

  private long find(Step.Consume consume) {
    return consume.entry() >= 0
        ? RegionBlockTable.find(region, number, consume.rank(), consume.entry())
        : RegionBlockTable.find(region, number, consume.rank(), consume.ordinal(), schedule.shape.rank());
  }

  /** Returns whether a step can be executed; fails when it never can, because a rank has departed. */
  boolean isAvailable(Step step) {
    if (isReady(step)) {
      return true;
    }
    CallShape shape = schedule.shape;
    switch (step) {
      case Step.Fetch f -> region.checkPresent(f.rank(), number, shape);
      case Step.Combine c -> region.checkPresent(c.rank(), number, shape);
      case Step.Vote v -> {
        for (int r = 0; r < schedule.shape.size(); r++) {
          if (v.asks(r)) {
            region.checkPresent(r, number, shape);
          }
        }
      }
      case Step.Until u -> region.checkReaches(u.rank(), number, u.milestone(), shape);
      case Step.Deliver g -> region.checkReaches(g.rank(), number, 1, shape);
      case Step.Consume t -> region.checkPresent(t.rank(), number, shape);
      default -> region.checkAllPresent(number);
    }
    return false;
  }

  /**
   * Executes a step that is {@linkplain #isAvailable available}; returns the number of bytes that it has moved or
   * combined, or {@link #BY_MESSAGE}.
   */
  long execute(Step step) {
    long done = 0;
    switch (step) {
      case Step.Publish publish -> {
        Slice what = publish.what();
        if (what.units() > 0) {
          shown.bind(region.segment(), region.payload(schedule.shape.rank(), number), elements);
          local.copy(slots.of(what.buffer()), what.from(), shown, 0, what.units());
          done = what.units() * schedule.shape.unitBytes();
        }
        region.publish(number, schedule.signature, publish.reader());
      }
      case Step.Fetch fetch -> {
        Slice into = fetch.into();
        region.check(fetch.rank(), number, schedule.signature, schedule.shape);
        if (into.units() > 0) {
          shown.bind(region.segment(), region.payload(fetch.rank(), number), elements);
          local.copy(shown, fetch.from(), slots.of(into.buffer()), into.from(), into.units());
          done = into.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Combine combine -> {
        Slice right = combine.right();
        region.check(combine.rank(), number, schedule.signature, schedule.shape);
        shown.bind(region.segment(), region.payload(combine.rank(), number), elements);
        local.reduce(kernel, shown, combine.from(), slots.of(right.buffer()), right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Lend lend -> {
        lent.make(region, number, lend, slots, schedule.shape);
        region.publish(number, schedule.signature, Step.ALL);
      }
      case Step.Vote vote -> {
        refused = false;
        for (int r = 0; r < schedule.shape.size(); r++) {
          if (vote.asks(r)) {
            region.check(r, number, schedule.signature, schedule.shape);
            refused |= lent.isRefused(region, number, r);
          }
        }
      }
      case Step.Stage stage -> {
        Slice from = stage.from();
        if (lent.isStaged(stage.ofResult())) {
          local.copy(slots.of(from.buffer()), from.from(), slots.of(SymbolicBuffer.SCRATCH), stage.to().from(),
              from.units());
          done = from.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Pull pull -> {
        Slice into = pull.into();
        lent.bind(shown, region, number, pull.rank(), pull.ofResult(), pull.from(), into.units(), elements,
            schedule.shape.unitBytes());
        local.copy(shown, 0, slots.of(into.buffer()), into.from(), into.units());
        done = into.units() * schedule.shape.unitBytes();
      }
      case Step.PullReduce pull -> {
        Slice right = pull.right();
        lent.bind(shown, region, number, pull.rank(), false, pull.from(), right.units(), elements,
            schedule.shape.unitBytes());
        local.reduce(kernel, shown, 0, slots.of(right.buffer()), right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Reach reach -> region.reach(number, reach.milestone());
      case Step.Until until -> { }
      case Step.PublishBlocks publish -> {
        done = blocks.publish(region, number, publish, engine, schedule.shape.size());
        region.publish(number, schedule.signature, publish.readers());
        skipped = blocks.sends() ? 0 : publish.deliveries();
      }
      case Step.Deliver deliver -> done = deliver(deliver);
      case Step.Consume consume -> done = consume(consume);
      case Step.Acknowledge acknowledge -> {
        if (blocks.hasBorrowed()) {
          blocks.acknowledge(region, number);
        }
        skipped = blocks.isOver() ? acknowledge.checks() : 0;
      }
      default -> throw new AssertionError(step);
    }
    return done;
  }

  private long deliver(Step.Deliver deliver) {
    long entry = RegionBlockTable.find(region, number, schedule.shape.rank(), deliver.entry());
    boolean isSent = deliver.afterwards()
        ? RegionBlockTable.isSentAfterwards(region, number, deliver.rank(), entry)
        : RegionBlockTable.where(entry) == RegionBlockTable.Where.MESSAGE;
    return isSent ? BY_MESSAGE : 0;
  }

  private long consume(Step.Consume consume) {
    long due = slots.units(consume.into());
    if (due == 0) {
      return 0;
    }
    if (consume.afterwards()) {
      return blocks.isReceivedAfterwards(find(consume)) ? BY_MESSAGE : 0;
    }
    region.check(consume.rank(), number, schedule.signature, schedule.shape);
    long entry = find(consume);
    if (RegionBlockTable.where(entry) == RegionBlockTable.Where.MESSAGE) {
      return BY_MESSAGE;
    }
    blocks.consume(region, number, consume, entry, schedule.shape);
    return due;
  }

  /** Returns the number of steps after the last one executed that have nothing to do. */
  int skipped() {
    int steps = skipped;
    skipped = 0;
    return steps;
  }

  /** Returns whether a rank refuses what another lends, so that the call restarts by messages. */
  boolean isRefused() {
    return refused;
  }
}
