// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.function.BooleanSupplier;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Engine;

/**
 * The part of an {@link Execution} that takes the steps on the board, for a collective with a number of its own there.
 * Does nothing for executions that are bound to no board.
 */
final class BoardSteps {
  /** Looks in vain after which a wait is no longer short: some microseconds. */
  private static final int SHORT_WAIT = 128;

  private static final int LOOKS_PER_QUESTION = 32;

  /** What {@link #take} returns when the step's block is to be sent or received. */
  static final long BY_MESSAGE = -1;

  private final Slots slots;
  private final LocalSteps local;
  private final Place shown = new Place();
  private final Offers offers = new Offers();
  private final BlockTable blocks;
  private final Arrival arrival = new Arrival();

  /** Null where the schedule has no such steps. */
  private Board board;

  /** The board's number of this collective. */
  private long number;

  private Engine engine;
  private Schedule schedule;
  private Plan elements;
  private ReduceKernel kernel;
  private boolean refused;
  private int skipped;

  /** The board serves this collective alone: at most one start of it is in flight. */
  private boolean isAlone;

  /** Over on the board, though not yet for this rank. */
  private boolean isOver;

  /**
   * Creates what is bound to no board yet.
   *
   * @param slots the execution's slots
   * @param local does the copying and combining
   * @param pool has scratch memory for blocks that nobody else can read where they lie
   */
  BoardSteps(Slots slots, LocalSteps local, ScratchPool pool) {
    this.slots = slots;
    this.local = local;
    this.blocks = new BlockTable(slots, local, pool);
  }

  // ---- the course of one collective

  /** Takes the next number on the communicator's board, and gives it up at once where messages do it all. */
  void bind(Engine engine, Board board, Schedule schedule, Plan elements, ReduceKernel kernel) {
    if (!schedule.isShared) {
      board.goElsewhere();
      return;
    }
    bindOwn(engine, board, schedule, elements, kernel);
    isAlone = false;
    number = board.begin();
  }

  /** Binds a persistent collective to a board that serves nothing else, and where each start takes a number. */
  void bindOwn(Engine engine, Board board, Schedule schedule, Plan elements, ReduceKernel kernel) {
    this.engine = engine;
    this.board = board;
    this.schedule = schedule;
    this.elements = elements;
    this.kernel = kernel;
    refused = false;
    isAlone = true;
    isOver = false;
    blocks.begin();
  }

  /** Gives the number up without having taken a step. */
  void skip() {
    if (board != null) {
      board.finish(number);
      unbind();
    }
  }

  /** Starts what other threads than the caller's may end. */
  void begin() {
    if (board == null) {
      return;
    }
    isOver = false;
    if (isAlone) {
      number = board.begin();
      blocks.begin();
    } else {
      board.detach();
    }
  }

  boolean isBound() {
    return board != null;
  }

  /** Ends what {@link #begin} has not started. */
  void finish() {
    blocks.end();
    board.finish(number);
  }

  /** Ends what {@link #begin} has started. */
  void finishDetached() {
    if (board != null) {
      blocks.end();
      leave();
    }
  }

  /**
   * Ends on the board what {@link #begin} has started and what has no step left there: nobody else's calls are to wait
   * for its messages.
   */
  void leave() {
    if (board == null || isOver) {
      return;
    }
    isOver = true;
    if (isAlone) {
      board.finish(number);
    } else {
      board.finishDetached(number);
    }
  }

  /**
   * Ends a collective that has failed. Others may still be reading what it has shown them.
   *
   * @param memory what else than the slots they may read
   * @return false when nobody reads any memory of this rank
   */
  boolean fail(boolean detached, Object memory) {
    if (board == null) {
      return false;
    }
    board.keep(number, new Object[] {memory, slots.owners(), blocks.abandon()});
    if (!isOver) {
      board.fail(number, detached && !isAlone);
    }
    return true;
  }

  /** Leaves a board of its own. */
  void close() {
    blocks.release();
    if (board != null) {
      board.close();
    }
  }

  /** Forgets everything that belongs to one call. */
  void unbind() {
    board = isAlone ? board : null; // one of its own is still to be closed
    engine = null;
    schedule = null;
    elements = null;
    kernel = null;
    refused = false;
    shown.release();
  }

  // ---- steps

  /** What a blocking call waits for. */
  private final class Arrival implements BooleanSupplier {
    private Step step;
    private int looks;

    @Override
    public boolean getAsBoolean() {
      // Whether the other rank has gone is written where that rank writes often: not to be read at every look.
      boolean asks = ++looks > SHORT_WAIT || looks % LOOKS_PER_QUESTION == 0;
      return asks ? isAvailable(step) : isReady(step);
    }
  }

  /** Blocks until a step can be taken. */
  void await(Step step) {
    if (!isReady(step)) {
      arrival.step = step;
      arrival.looks = 0;
      board.memory().await(arrival);
    }
  }

  private boolean isReady(Step step) {
    return switch (step) {
      case Step.Publish p -> board.isFree(number);
      case Step.Lend o -> board.isFree(number);
      case Step.Fetch f -> board.isPosted(f.rank(), number);
      case Step.Combine c -> board.isPosted(c.rank(), number);
      case Step.Vote v -> v.rank() == Step.ALL ? board.isPostedByAll(number) : board.isPosted(v.rank(), number);
      case Step.Until u -> board.hasReached(u.rank(), number, u.milestone());
      case Step.Stage s -> true;
      case Step.Pull p -> true;
      case Step.PullReduce p -> true;
      case Step.Reach r -> board.isFree(number);
      case Step.PublishBlocks s -> board.isFree(number);
      case Step.Deliver g -> !isToBeTaken(g) || BlockTable.isTaken(board, number, g.rank());
      case Step.Consume t -> t.afterwards() || slots.units(t.into()) == 0 || board.isPosted(t.rank(), number);
      case Step.Acknowledge t -> !blocks.hasTakenLent() || board.isFree(number);
      default -> throw new AssertionError(step);
    };
  }

  /** Tells whether a step waits for a rank to take a block from where it lies. */
  private boolean isToBeTaken(Step.Deliver give) {
    return give.afterwards() && BlockTable.isLent(BlockTable.find(board, number, schedule.shape.rank(), give.entry()));
  }

  private long find(Step.Consume take) {
    return take.entry() >= 0
        ? BlockTable.find(board, number, take.rank(), take.entry())
        : BlockTable.find(board, number, take.rank(), take.ordinal(), schedule.shape.rank());
  }

  /** Tells whether a step can be taken; fails when it never can, because a rank has gone. */
  boolean isAvailable(Step step) {
    if (isReady(step)) {
      return true;
    }
    Collective collective = schedule.shape.collective();
    switch (step) {
      case Step.Fetch f -> board.checkPresent(f.rank(), number, collective);
      case Step.Combine c -> board.checkPresent(c.rank(), number, collective);
      case Step.Vote v -> {
        for (int r = 0; r < schedule.shape.size(); r++) {
          if (v.asks(r)) {
            board.checkPresent(r, number, collective);
          }
        }
      }
      case Step.Until u -> board.checkReaches(u.rank(), number, u.milestone(), collective);
      case Step.Deliver g -> board.checkReaches(g.rank(), number, 1, collective);
      case Step.Consume t -> board.checkPresent(t.rank(), number, collective);
      default -> board.checkAllPresent(number);
    }
    return false;
  }

  /**
   * Takes a step that is {@linkplain #isAvailable available}, and returns how many bytes it has worked on, or
   * {@link #BY_MESSAGE}.
   */
  long take(Step step) {
    long done = 0;
    switch (step) {
      case Step.Publish post -> {
        Slice what = post.what();
        if (what.units() > 0) {
          shown.bind(board.keeper(), board.payload(schedule.shape.rank(), number), elements);
          local.copy(slots.of(what.slot()), what.from(), shown, 0, what.units());
          done = what.units() * schedule.shape.unitBytes();
        }
        board.post(number, schedule.signature, post.reader());
      }
      case Step.Fetch fetch -> {
        Slice into = fetch.into();
        board.check(fetch.rank(), number, schedule.signature, schedule.shape.collective());
        if (into.units() > 0) {
          shown.bind(board.keeper(), board.payload(fetch.rank(), number), elements);
          local.copy(shown, fetch.from(), slots.of(into.slot()), into.from(), into.units());
          done = into.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Combine combine -> {
        Slice right = combine.right();
        board.check(combine.rank(), number, schedule.signature, schedule.shape.collective());
        shown.bind(board.keeper(), board.payload(combine.rank(), number), elements);
        local.reduce(kernel, shown, combine.from(), slots.of(right.slot()), right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Lend offer -> {
        offers.make(board, number, offer, slots, schedule.shape);
        board.post(number, schedule.signature, Step.ALL);
      }
      case Step.Vote vote -> {
        refused = false;
        for (int r = 0; r < schedule.shape.size(); r++) {
          if (vote.asks(r)) {
            board.check(r, number, schedule.signature, schedule.shape.collective());
            refused |= offers.isRefused(board, number, r);
          }
        }
      }
      case Step.Stage stage -> {
        Slice from = stage.from();
        if (offers.isStaged(stage.ofResult())) {
          local.copy(slots.of(from.slot()), from.from(), slots.of(Slot.SCRATCH), stage.to().from(), from.units());
          done = from.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Pull pull -> {
        Slice into = pull.into();
        offers.bind(shown, board, number, pull.rank(), pull.ofResult(), pull.from(), into.units(), elements,
            schedule.shape.unitBytes());
        local.copy(shown, 0, slots.of(into.slot()), into.from(), into.units());
        done = into.units() * schedule.shape.unitBytes();
      }
      case Step.PullReduce pull -> {
        Slice right = pull.right();
        offers.bind(shown, board, number, pull.rank(), false, pull.from(), right.units(), elements,
            schedule.shape.unitBytes());
        local.reduce(kernel, shown, 0, slots.of(right.slot()), right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Reach reach -> board.reach(number, reach.milestone());
      case Step.Until until -> { }
      case Step.PublishBlocks show -> {
        done = blocks.show(board, number, show, engine, schedule.shape.size());
        board.post(number, schedule.signature, show.readers());
        skipped = blocks.sends() ? 0 : show.deliveries();
      }
      case Step.Deliver give -> done = give(give);
      case Step.Consume take -> done = take(take);
      case Step.Acknowledge taken -> {
        if (blocks.hasTakenLent()) {
          blocks.confirm(board, number);
        }
        skipped = blocks.isOver() ? taken.checks() : 0;
      }
      default -> throw new AssertionError(step);
    }
    return done;
  }

  private long give(Step.Deliver give) {
    long entry = BlockTable.find(board, number, schedule.shape.rank(), give.entry());
    boolean isSent = give.afterwards()
        ? BlockTable.isSentAfterwards(board, number, give.rank(), entry)
        : BlockTable.where(entry) == BlockTable.Where.MESSAGE;
    return isSent ? BY_MESSAGE : 0;
  }

  private long take(Step.Consume take) {
    long due = slots.units(take.into());
    if (due == 0) {
      return 0;
    }
    if (take.afterwards()) {
      return blocks.isReceivedAfterwards(find(take)) ? BY_MESSAGE : 0;
    }
    board.check(take.rank(), number, schedule.signature, schedule.shape.collective());
    long entry = find(take);
    if (BlockTable.where(entry) == BlockTable.Where.MESSAGE) {
      return BY_MESSAGE;
    }
    blocks.take(board, number, take, entry, schedule.shape.collective());
    return due;
  }

  /** Returns how many steps after the last one taken have nothing to do. */
  int skipped() {
    int steps = skipped;
    skipped = 0;
    return steps;
  }

  /** Tells whether a rank's offer has been refused, so that everything is to begin anew by messages. */
  boolean isRefused() {
    return refused;
  }
}
