// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * One thing a rank does in a {@link Schedule}. Immutable; names slots and ranks, never addresses, peers or tags.
 *
 * <p>A new kind of step is a new class here, a line in {@link ScheduleBuilder} that says what it reads and writes, and
 * a branch in {@link Execution}, or in {@link BoardSteps} if it is {@link Shared}.
 */
abstract sealed class Step {
  private static final int[] NONE = {};

  /**
   * Earlier steps of this schedule that have to be complete before this one starts. Each step is named at most once in
   * a schedule: steps start in order, so that whatever comes later finds it complete as well.
   */
  final int[] after;

  Step(int[] after) {
    this.after = after.length == 0 ? NONE : after;
  }

  final String afterText() {
    return after.length == 0 ? "" : " after " + java.util.Arrays.toString(after);
  }

  /** Starts a message to a rank; complete when the slice may be overwritten. */
  static final class Send extends Step {
    final int rank;
    final Slice what;

    Send(int rank, Slice what, int[] after) {
      super(after);
      this.rank = rank;
      this.what = what;
    }

    @Override
    public String toString() {
      return "send " + what + " to " + rank + afterText();
    }
  }

  /** Starts the receipt of the next message of a rank; complete when the slice holds it. */
  static final class Receive extends Step {
    final int rank;
    final Slice into;

    /**
     * The very next step (or the end, after the last one) needs the message: a blocking caller need not start and wait.
     */
    final boolean neededAtOnce;

    Receive(int rank, Slice into, int[] after, boolean neededAtOnce) {
      super(after);
      this.rank = rank;
      this.into = into;
      this.neededAtOnce = neededAtOnce;
    }

    @Override
    public String toString() {
      return "receive " + into + " from " + rank + afterText() + (neededAtOnce ? ", needed at once" : "");
    }
  }

  /** Sends what a slice holds to a rank and receives into it what that rank sends: complete when both are. */
  static final class Swap extends Step {
    final int rank;
    final Slice what;

    Swap(int rank, Slice what, int[] after) {
      super(after);
      this.rank = rank;
      this.what = what;
    }

    @Override
    public String toString() {
      return "swap " + what + " with " + rank + afterText();
    }
  }

  /** Copies between slots; complete at once. */
  static final class Copy extends Step {
    final Slice from;
    final Slice to;

    Copy(Slice from, Slice to, int[] after) {
      super(after);
      this.from = from;
      this.to = to;
    }

    @Override
    public String toString() {
      return "copy " + from + " to " + to + afterText();
    }
  }

  /** Replaces {@code right} by {@code left op right}, unit by unit; complete at once. */
  static final class Reduce extends Step {
    final Slice left;
    final Slice right;

    Reduce(Slice left, Slice right, int[] after) {
      super(after);
      this.left = left;
      this.right = right;
    }

    @Override
    public String toString() {
      return "reduce " + left + " into " + right + afterText();
    }
  }

  /** A step on the communicator's {@link Board}; it waits for what it needs, and is then complete at once. */
  abstract static sealed class Shared extends Step {
    Shared(int[] after) {
      super(after);
    }
  }

  /** Shows a slice to the other ranks: each rank does so once in a schedule at most. */
  static final class Post extends Shared {
    /** For the eyes of more than one rank. */
    static final int ALL = -1;

    /** For nobody's eyes. */
    static final int NOBODY = -2;

    final Slice what;

    /** The only rank that reads it, or {@link #ALL}. */
    final int reader;

    Post(Slice what, int reader, int[] after) {
      super(after);
      this.what = what;
      this.reader = reader;
    }

    @Override
    public String toString() {
      return "post " + what + (reader < 0 ? "" : " for " + reader) + afterText();
    }
  }

  /** Copies a part of what a rank shows. */
  static final class Fetch extends Shared {
    final int rank;

    /** First unit, counted from the beginning of what the rank shows. */
    final long from;
    final Slice into;

    Fetch(int rank, long from, Slice into, int[] after) {
      super(after);
      this.rank = rank;
      this.from = from;
      this.into = into;
    }

    @Override
    public String toString() {
      return "fetch " + into + " from " + from + " of " + rank + afterText();
    }
  }

  /** Replaces {@code right} by {@code left op right}, {@code left} being a part of what a rank shows. */
  static final class Combine extends Shared {
    final int rank;

    /** First unit, counted from the beginning of what the rank shows. */
    final long from;
    final Slice right;

    Combine(int rank, long from, Slice right, int[] after) {
      super(after);
      this.rank = rank;
      this.from = from;
      this.right = right;
    }

    @Override
    public String toString() {
      return "combine " + from + " of " + rank + " into " + right + afterText();
    }
  }

  /**
   * Tells the other ranks where they can read this one's contribution and its part of the result: in the buffers
   * themselves if these are shared, otherwise in scratch memory, to which {@link Stage} copies them.
   */
  static final class Offer extends Shared {
    /** The contribution in its buffer, all of it. */
    final Slice contribution;

    /** As long, in scratch. */
    final Slice contributionStage;

    /** The part of the result in its buffer; null when nobody reads it. */
    final Slice result;

    /** As long, in scratch. */
    final Slice resultStage;

    /** Where in the whole result that part begins. */
    final long resultFrom;

    Offer(
        Slice contribution, Slice contributionStage, Slice result, Slice resultStage, long resultFrom, int[] after) {
      super(after);
      this.contribution = contribution;
      this.contributionStage = contributionStage;
      this.result = result;
      this.resultStage = resultStage;
      this.resultFrom = resultFrom;
    }

    @Override
    public String toString() {
      return "offer " + contribution + " or " + contributionStage + " and " + result + " or " + resultStage
          + afterText();
    }
  }

  /** Copies a part of what is offered to where it is offered, if that is not its buffer. */
  static final class Stage extends Shared {
    final boolean ofResult;
    final Slice from;
    final Slice to;

    Stage(boolean ofResult, Slice from, Slice to, int[] after) {
      super(after);
      this.ofResult = ofResult;
      this.from = from;
      this.to = to;
    }

    @Override
    public String toString() {
      return "stage " + from + " in " + to + afterText();
    }
  }

  /**
   * Waits for what all ranks offer. Where one cannot, the execution begins anew with the schedule's fallback: on all
   * ranks, since all see the same offers.
   */
  static final class Vote extends Shared {
    /** Every rank offers something. */
    static final int ALL = -1;

    /** The only rank that offers something, or {@link #ALL}. */
    final int rank;

    Vote(int rank, int[] after) {
      super(after);
      this.rank = rank;
    }

    boolean asks(int other) {
      return rank == ALL || rank == other;
    }

    @Override
    public String toString() {
      return "vote" + (rank == ALL ? "" : " of " + rank) + afterText();
    }
  }

  /** Copies a part of what another rank offers. */
  static final class Pull extends Shared {
    final int rank;
    final boolean ofResult;

    /** First unit, counted as in a whole contribution or result. */
    final long from;
    final Slice into;

    Pull(int rank, boolean ofResult, long from, Slice into, int[] after) {
      super(after);
      this.rank = rank;
      this.ofResult = ofResult;
      this.from = from;
      this.into = into;
    }

    @Override
    public String toString() {
      return "pull " + into + " from " + from + (ofResult ? " of the result of " : " of ") + rank + afterText();
    }
  }

  /** Replaces {@code right} by {@code left op right}, {@code left} being a part of another rank's contribution. */
  static final class PullReduce extends Shared {
    final int rank;

    /** First unit of the left operands. */
    final long from;
    final Slice right;

    PullReduce(int rank, long from, Slice right, int[] after) {
      super(after);
      this.rank = rank;
      this.from = from;
      this.right = right;
    }

    @Override
    public String toString() {
      return "reduce " + from + " of " + rank + " into " + right + afterText();
    }
  }

  /** Says that this rank has come so far. */
  static final class Reach extends Shared {
    final int stage;

    Reach(int stage, int[] after) {
      super(after);
      this.stage = stage;
    }

    @Override
    public String toString() {
      return "reach " + stage + afterText();
    }
  }

  /** Waits until a rank has come so far. */
  static final class Until extends Shared {
    final int rank;
    final int stage;

    Until(int rank, int stage, int[] after) {
      super(after);
      this.rank = rank;
      this.stage = stage;
    }

    @Override
    public String toString() {
      return "until " + rank + " reaches " + stage + afterText();
    }
  }

  /**
   * Shows blocks to other ranks, in a {@link BlockTable}: short ones are copied there, of others it says where they lie
   * or that they come as messages. Each rank shows once in a schedule at most.
   */
  static final class Show extends Shared {
    final Slice[] blocks;

    /** For each block the rank that takes it, {@link Post#ALL} or {@link Post#NOBODY}. */
    final int[] readers;

    /** How many of the next steps have nothing to do where no block is sent. */
    final int gives;

    Show(Slice[] blocks, int[] readers, int[] after, int gives) {
      super(after);
      this.blocks = blocks;
      this.readers = readers;
      this.gives = gives;
    }

    @Override
    public String toString() {
      return "show " + java.util.Arrays.toString(blocks) + " to " + java.util.Arrays.toString(readers) + afterText();
    }
  }

  /**
   * Does for a rank what a shown block still needs: sends it where the table says so; after the rank has had the time
   * to take it, waits for that where it is taken from its own place.
   */
  static final class Give extends Shared {
    final int rank;

    /** Which of the blocks that this rank shows. */
    final int entry;
    final Slice what;

    /** All that this rank itself takes has been taken. */
    final boolean afterwards;

    Give(int rank, int entry, Slice what, boolean afterwards, int[] after) {
      super(after);
      this.rank = rank;
      this.entry = entry;
      this.what = what;
      this.afterwards = afterwards;
    }

    @Override
    public String toString() {
      return (afterwards ? "await the taking of " : "give ") + what + " to " + rank + afterText();
    }
  }

  /**
   * Takes a block that a rank shows, wherever it lies; {@code afterwards} receives what the kernel has not let it read.
   */
  static final class Take extends Shared {
    final int rank;

    /** Which of the blocks that the rank shows, or -1 where only {@link #ordinal} is known. */
    final int entry;

    /** Which of the blocks that it shows to this rank. */
    final int ordinal;
    final Slice into;
    final boolean afterwards;

    Take(int rank, int entry, int ordinal, Slice into, boolean afterwards, int[] after) {
      super(after);
      this.rank = rank;
      this.entry = entry;
      this.ordinal = ordinal;
      this.into = into;
      this.afterwards = afterwards;
    }

    @Override
    public String toString() {
      return "take " + into + " from " + rank + (afterwards ? " if it could not be read" : "") + afterText();
    }
  }

  /** Says that this rank has taken all that others show it. */
  static final class Taken extends Shared {
    /** How many of the next steps have nothing to do where no block is lent. */
    final int checks;

    Taken(int[] after, int checks) {
      super(after);
      this.checks = checks;
    }

    @Override
    public String toString() {
      return "taken" + afterText();
    }
  }
}
