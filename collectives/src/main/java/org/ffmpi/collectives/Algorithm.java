// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import org.ffmpi.spi.Collective;


/**
 * One way to carry out a collective, as a writer of schedules. Stateless.
 *
 * <p>The steps are written as a straight line that would be right if each step were complete before the next ({@link
 * ScheduleBuilder} finds what may overlap), with two duties towards the other ranks: the n-th message to a rank is the
 * n-th that rank receives from this one, of the same length; and no send may need to be complete before the peer could
 * have started its receive.
 */
interface Algorithm {
  /** Receives that are started before the step that uses an earlier one: enough to keep a sender from waiting. */
  int AHEAD = 2;

  /** Into how many pieces one message is cut at most. */
  int MOST_SEGMENTS = 64;

  /** Returns the name that settings and tables use. */
  String name();

  /** Returns the operation this is an algorithm for. */
  Collective collective();

  /** Returns what speaks for this algorithm, in a few words for people. */
  default String merit() {
    return "";
  }

  /** Tells whether this algorithm can serve a call; the answer is the same on all ranks. */
  default boolean accepts(Shape shape) {
    return true;
  }

  /** Returns how many bytes a rank shows on a board at most; the same on all ranks. */
  default long shownBytes(Shape shape) {
    return shape.shownBytes();
  }

  /** Writes one rank's steps. */
  void build(Shape shape, ScheduleBuilder builder);
}
