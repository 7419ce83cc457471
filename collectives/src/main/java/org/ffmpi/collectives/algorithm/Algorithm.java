// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * An algorithm of one collective operation, which writes schedules. Stateless.
 *
 * <p>An algorithm writes its steps in an order that would be right if each step were complete before the next ({@link
 * ScheduleBuilder} finds what may overlap), with two duties towards the other ranks: the n-th message to a rank is the
 * n-th that rank receives from this one, of the same length; and no send may need to be complete before the peer could
 * have started its receive.
 */
public abstract class Algorithm {
  /** Receives that are started before the step that uses an earlier one: enough to keep a sender from waiting. */
  static final int AHEAD = 2;

  private final String name;
  private final Collective collective;
  private final String merit;

  /**
   * Creates an algorithm.
   *
   * @param name the name that settings and tables use
   * @param collective the operation that the algorithm carries out
   * @param merit its advantage in a few words for people, or an empty text
   */
  Algorithm(String name, Collective collective, String merit) {
    this.name = name;
    this.collective = collective;
    this.merit = merit;
  }

  /** Returns the name that settings and tables use. */
  public final String name() {
    return name;
  }

  /** Returns the operation that the algorithm carries out. */
  final Collective collective() {
    return collective;
  }

  /** Returns the advantage of this algorithm in a few words for people; possibly empty. */
  public final String merit() {
    return merit;
  }

  /** Returns whether this algorithm can serve a call; the answer is the same on all ranks. */
  public boolean accepts(CallShape shape) {
    return true;
  }

  /** Returns whether ranks with a region exchange short data in one round, so that no schedule is needed for these. */
  public boolean isInOneRound() {
    return false;
  }

  /** Returns the levels in which this algorithm serves a call that it accepts, for people; empty without levels. */
  public String levels(CallShape shape) {
    return "";
  }

  /** Returns the largest number of bytes that a rank publishes in a region slot; the same on all ranks. */
  long publishedBytes(CallShape shape) {
    return shape.publishedBytes();
  }

  /** Writes one rank's steps. */
  abstract void build(CallShape shape, ScheduleBuilder builder);

  /**
   * Returns the schedule of a call that this algorithm {@linkplain #accepts accepts}.
   *
   * @param shape the call
   * @param segmentBytes bytes of the pieces that large messages are cut into where the algorithm overlaps them
   */
  public final Schedule schedule(CallShape shape, long segmentBytes) {
    return ScheduleBuilder.build(shape, segmentBytes, name, publishedBytes(shape), builder -> build(shape, builder));
  }
}
