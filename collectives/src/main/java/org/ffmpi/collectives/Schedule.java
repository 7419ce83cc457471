// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.Arrays;

/**
 * What one rank does in one collective call: steps over symbolic slots, immutable, and so shared by all calls of the
 * same {@link Shape}.
 *
 * <p><b>Order.</b> Steps <em>start</em> in the order of the list, each as soon as those it names in {@link Step#after}
 * are complete; sends and receives <em>complete</em> in any order; the whole is complete when all steps are. Between
 * two ranks the n-th message sent is the n-th received, so that one tag serves all messages of a call. Starting in
 * order keeps the executor to a cursor and fixes the order of all reductions; overlap comes from the order in which an
 * algorithm is written (receives ahead of the steps that use the previous ones).
 *
 * <p>Schedules are made by {@link ScheduleBuilder}, which finds the dependencies.
 */
final class Schedule {
  final Shape shape;
  final String algorithm;
  final Step[] steps;

  /** Length of the scratch slot. */
  final long scratchUnits;

  /** Steps use the communicator's board. */
  final boolean isShared;

  /** The last step that does, or -1. */
  final int lastShared;

  /** What to do instead where a vote says that not all can read what is offered; null without a vote. */
  final Schedule fallback;

  /** What the ranks of one call must agree about, in a word. */
  final int signature;

  Schedule(Shape shape, String algorithm, Step[] steps, long scratchUnits) {
    this(shape, algorithm, steps, scratchUnits, null);
  }

  private Schedule(Shape shape, String algorithm, Step[] steps, long scratchUnits, Schedule fallback) {
    this.fallback = fallback;
    this.shape = shape;
    this.algorithm = algorithm;
    this.steps = steps;
    this.scratchUnits = scratchUnits;
    this.lastShared = lastShared(steps);
    this.isShared = lastShared >= 0;
    this.signature = shape.signature();
  }

  private static int lastShared(Step[] steps) {
    int last = steps.length - 1;
    while (last >= 0 && !(steps[last] instanceof Step.Shared)) {
      last--;
    }
    return last;
  }

  /** Tells whether the steps are taken only where all ranks can read what is offered. */
  boolean hasVote() {
    return Arrays.stream(steps).anyMatch(Step.Vote.class::isInstance);
  }

  /** Returns how many bytes each rank shows on a board at most. */
  long shownBytes() {
    return Algorithms.find(shape.collective(), algorithm).shownBytes(shape);
  }

  Schedule withFallback(Schedule other) {
    return new Schedule(shape, algorithm, steps, scratchUnits, other);
  }

  /** Returns the steps, one per line, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(shape.collective()).append(" by ").append(algorithm).append(", rank ").append(shape.rank())
        .append(" of ").append(shape.size()).append(", ").append(shape.units()).append(" units of ")
        .append(shape.unitBytes()).append(" bytes, scratch ").append(scratchUnits).append(" units");
    for (int i = 0; i < steps.length; i++) {
      text.append('\n').append(i).append(": ").append(steps[i]);
    }
    return text.toString();
  }
}
