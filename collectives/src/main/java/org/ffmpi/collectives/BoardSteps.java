// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.function.BooleanSupplier;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;

/**
 * The part of an {@link Execution} that takes the steps on the board, for a collective with a number of its own there.
 * Does nothing for executions that are bound to no board.
 */
final class BoardSteps {
  /** Looks in vain after which a wait is no longer short: some microseconds. */
  private static final int SHORT_WAIT = 128;

  private static final int LOOKS_PER_QUESTION = 32;

  private final Place[] places;
  private final LocalSteps local;
  private final Place shown = new Place();
  private final Offers offers = new Offers();
  private final Arrival arrival = new Arrival();

  /** Null where the schedule has no such steps. */
  private Board board;

  /** The board's number of this collective. */
  private long number;

  private Schedule schedule;
  private Plan elements;
  private ReduceKernel kernel;
  private boolean refused;

  /** The board serves this collective alone: at most one start of it is in flight. */
  private boolean isAlone;

  /**
   * Creates what is bound to no board yet.
   *
   * @param places the execution's slots
   * @param local does the copying and combining
   */
  BoardSteps(Place[] places, LocalSteps local) {
    this.places = places;
    this.local = local;
  }

  // ---- the course of one collective

  /** Takes the next number on the communicator's board. */
  void bind(Board board, Schedule schedule, Plan elements, ReduceKernel kernel) {
    bindOwn(board, schedule, elements, kernel);
    isAlone = false;
    number = board.begin();
  }

  /** Binds a persistent collective to a board that serves nothing else, and where each start takes a number. */
  void bindOwn(Board board, Schedule schedule, Plan elements, ReduceKernel kernel) {
    this.board = board;
    this.schedule = schedule;
    this.elements = elements;
    this.kernel = kernel;
    refused = false;
    isAlone = true;
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
    if (isAlone) {
      number = board.begin();
    } else {
      board.detach();
    }
  }

  boolean isBound() {
    return board != null;
  }

  /** Ends what {@link #begin} has not started. */
  void finish() {
    board.finish(number);
  }

  /** Ends what {@link #begin} has started. */
  void finishDetached() {
    if (board == null) {
      return;
    }
    if (isAlone) {
      board.finish(number);
    } else {
      board.finishDetached(number);
    }
  }

  /** Ends a collective that has failed. */
  void fail(boolean detached) {
    if (board != null) {
      board.fail(number, detached && !isAlone);
    }
  }

  /** Leaves a board of its own. */
  void close() {
    if (board != null) {
      board.close();
    }
  }

  /** Forgets everything that belongs to one call. */
  void unbind() {
    board = null;
    schedule = null;
    elements = null;
    kernel = null;
    refused = false;
    shown.release();
  }

  // ---- steps

  /** What a blocking call waits for. */
  private final class Arrival implements BooleanSupplier {
    private Step.Shared step;
    private int looks;

    @Override
    public boolean getAsBoolean() {
      // Whether the other rank has gone is written where that rank writes often: not to be read at every look.
      boolean asks = ++looks > SHORT_WAIT || looks % LOOKS_PER_QUESTION == 0;
      return asks ? isAvailable(step) : isReady(step);
    }
  }

  /** Blocks until a step can be taken. */
  void await(Step.Shared step) {
    if (!isReady(step)) {
      arrival.step = step;
      arrival.looks = 0;
      board.memory().await(arrival);
    }
  }

  private boolean isReady(Step.Shared step) {
    return switch (step) {
      case Step.Post p -> board.isFree(number);
      case Step.Offer o -> board.isFree(number);
      case Step.Fetch f -> board.isPosted(f.rank, number);
      case Step.Combine c -> board.isPosted(c.rank, number);
      case Step.Vote v -> v.rank == Step.Vote.ALL ? board.isPostedByAll(number) : board.isPosted(v.rank, number);
      case Step.Until u -> board.hasReached(u.rank, number, u.stage);
      case Step.Stage s -> true;
      case Step.Pull p -> true;
      case Step.PullReduce p -> true;
      case Step.Reach r -> board.isFree(number);
    };
  }

  /** Tells whether a step can be taken; fails when it never can, because a rank has gone. */
  boolean isAvailable(Step.Shared step) {
    if (isReady(step)) {
      return true;
    }
    Collective collective = schedule.shape.collective();
    switch (step) {
      case Step.Fetch f -> board.checkPresent(f.rank, number, collective);
      case Step.Combine c -> board.checkPresent(c.rank, number, collective);
      case Step.Vote v -> {
        for (int r = 0; r < schedule.shape.size(); r++) {
          if (v.asks(r)) {
            board.checkPresent(r, number, collective);
          }
        }
      }
      case Step.Until u -> board.checkReaches(u.rank, number, u.stage, collective);
      default -> board.checkAllPresent(number);
    }
    return false;
  }

  /** Takes a step that is {@linkplain #isAvailable available}, and returns how many bytes it has worked on. */
  long take(Step.Shared step) {
    long done = 0;
    switch (step) {
      case Step.Post post -> {
        Slice what = post.what;
        if (what.units() > 0) {
          shown.bind(board.keeper(), board.payload(schedule.shape.rank(), number), elements);
          local.copy(places[what.slot().ordinal()], what.from(), shown, 0, what.units());
          done = what.units() * schedule.shape.unitBytes();
        }
        board.post(number, schedule.signature, post.reader);
      }
      case Step.Fetch fetch -> {
        Slice into = fetch.into;
        board.check(fetch.rank, number, schedule.signature, schedule.shape.collective());
        if (into.units() > 0) {
          shown.bind(board.keeper(), board.payload(fetch.rank, number), elements);
          local.copy(shown, fetch.from, places[into.slot().ordinal()], into.from(), into.units());
          done = into.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Combine combine -> {
        Slice right = combine.right;
        board.check(combine.rank, number, schedule.signature, schedule.shape.collective());
        shown.bind(board.keeper(), board.payload(combine.rank, number), elements);
        local.reduce(kernel, shown, combine.from, places[right.slot().ordinal()], right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Offer offer -> {
        offers.make(board, number, offer, places, schedule.shape);
        board.post(number, schedule.signature, Step.Post.ALL);
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
        Slice from = stage.from;
        if (offers.isStaged(stage.ofResult)) {
          local.copy(places[from.slot().ordinal()], from.from(), places[2], stage.to.from(), from.units());
          done = from.units() * schedule.shape.unitBytes();
        }
      }
      case Step.Pull pull -> {
        Slice into = pull.into;
        offers.bind(shown, board, number, pull.rank, pull.ofResult, pull.from, into.units(), elements,
            schedule.shape.unitBytes());
        local.copy(shown, 0, places[into.slot().ordinal()], into.from(), into.units());
        done = into.units() * schedule.shape.unitBytes();
      }
      case Step.PullReduce pull -> {
        Slice right = pull.right;
        offers.bind(shown, board, number, pull.rank, false, pull.from, right.units(), elements,
            schedule.shape.unitBytes());
        local.reduce(kernel, shown, 0, places[right.slot().ordinal()], right.from(), right.units());
        done = right.units() * schedule.shape.unitBytes();
      }
      case Step.Reach reach -> board.reach(number, reach.stage);
      case Step.Until until -> { }
    }
    return done;
  }

  /** Tells whether a rank's offer has been refused, so that everything is to begin anew by messages. */
  boolean isRefused() {
    return refused;
  }
}
