// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.Arrays;

/**
 * The steps of one rank in one collective call, over symbolic slots; immutable, and so shared by all calls of the same
 * {@link CallShape}.
 *
 * <p><b>Order.</b> Steps <em>start</em> in the order of the list, each as soon as those it names in {@link #after}
 * are complete; sends and receives <em>complete</em> in any order; the whole is complete when all steps are. Between
 * two ranks the n-th message sent is the n-th received, so that one tag serves all messages of a call. Starting in
 * order keeps the executor to a cursor and fixes the order of all reductions; overlap comes from the order in which an
 * algorithm is written (receives ahead of the steps that use the previous ones).
 *
 * <p>Schedules are made by {@link ScheduleBuilder}, which finds the dependencies.
 */
public final class Schedule {
  public final CallShape shape;
  public final String algorithm;
  public final Step[] steps;

  /**
   * For each step the numbers of earlier ones that have to be complete before it starts. Each step is named at most
   * once in a schedule: steps start in order, so that later ones find it complete as well.
   */
  public final int[][] after;

  /** For each step whether it is a {@link Step.OnRegion}. */
  public final boolean[] onRegion;

  /** Length of the scratch buffer. */
  public final long scratchUnits;

  /** Bytes that each rank publishes in a region slot at most. */
  public final long publishedBytes;

  /** The last step in the communicator's region, or -1. */
  public final int lastShared;

  /** Steps use the communicator's region. */
  public final boolean isShared;

  /** The steps to execute instead when a vote finds that not all ranks can read lent buffers; null without a vote. */
  public final Schedule fallback;

  /** A word that the ranks of one call must agree on. */
  public final int signature;

  /** The {@link CallShape#callSignature}. */
  public final long callSignature;

  Schedule(CallShape shape, String algorithm, long publishedBytes, Step[] steps, int[][] after, long scratchUnits) {
    this(shape, algorithm, publishedBytes, steps, after, scratchUnits, null);
  }

  private Schedule(
      CallShape shape, String algorithm, long publishedBytes, Step[] steps, int[][] after, long scratchUnits,
      Schedule fallback) {
    this.shape = shape;
    this.algorithm = algorithm;
    this.publishedBytes = publishedBytes;
    this.steps = steps;
    this.after = after;
    this.scratchUnits = scratchUnits;
    this.fallback = fallback;
    this.onRegion = new boolean[steps.length];
    int last = -1;
    for (int i = 0; i < steps.length; i++) {
      onRegion[i] = steps[i] instanceof Step.OnRegion;
      last = onRegion[i] ? i : last;
    }
    this.lastShared = last;
    this.isShared = last >= 0;
    this.signature = shape.signature();
    this.callSignature = shape.callSignature();
  }

  /** Returns whether the steps require that all ranks can read lent buffers. */
  public boolean hasVote() {
    return Arrays.stream(steps).anyMatch(Step.Vote.class::isInstance);
  }

  public Schedule withFallback(Schedule other) {
    return new Schedule(shape, algorithm, publishedBytes, steps, after, scratchUnits, other);
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
      if (after[i].length > 0) {
        text.append(" after ").append(Arrays.toString(after[i]));
      }
    }
    return text.toString();
  }
}
