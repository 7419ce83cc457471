// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

/**
 * One thing a rank does in a {@link Schedule}. Immutable; names slots and ranks, never addresses, peers or tags.
 *
 * <p>A new kind of step is a new class here, a line in {@link ScheduleBuilder} that says what it reads and writes, and
 * a branch in {@link Execution}.
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
}
