// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import java.util.function.Function;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;

/** The maker of one communicator's schedules, by the algorithm that the selector chooses. Immutable; any thread. */
public final class ScheduleMaker implements Function<CallShape, Schedule> {
  private final Selector selector;

  /** Null at all ranks but one: all choose the same. */
  private final Explanation explanation;

  private final long segmentBytes;

  /**
   * Creates one.
   *
   * @param selector chooses algorithms
   * @param rank own rank
   * @param segmentBytes bytes of the pieces that large messages are cut into
   */
  public ScheduleMaker(Selector selector, int rank, long segmentBytes) {
    this.selector = selector;
    this.explanation = rank == 0 ? selector.explanation() : null;
    this.segmentBytes = segmentBytes;
  }

  /** Returns the choices. */
  public Selector selector() {
    return selector;
  }

  /** Returns whether each choice is reported when its schedule is made. */
  public boolean isExplaining() {
    return explanation != null;
  }

  @Override
  public Schedule apply(CallShape shape) {
    if (explanation != null) {
      explanation.print(shape);
    }
    Schedule made = selector.choose(shape).schedule(shape, segmentBytes);
    if (!made.hasVote()) {
      return made;
    }
    CallShape plain = shape.withoutRegion();
    return made.withFallback(selector.choose(plain).schedule(plain, segmentBytes));
  }
}
