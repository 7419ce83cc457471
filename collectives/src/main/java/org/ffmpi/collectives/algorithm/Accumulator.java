// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;

/**
 * A partial result of a reduction, and its current place, while a schedule is written.
 *
 * <p>{@code right = left op right} leaves the result in the place of the right operand. So a contribution of higher
 * ranks, which is the right operand, becomes the new partial result where it was received, and nothing is copied; one
 * of lower ranks is combined into the partial result's own place, which must then be writable. Where order does not
 * matter, the form that needs no copy is used.
 */
final class Accumulator {
  private final ScheduleBuilder builder;
  private Slice at;
  private boolean writable;
  private boolean intoReceived;

  /**
   * Starts with one contribution.
   *
   * @param builder takes the steps
   * @param contribution where it lies
   * @param writable whether it may be overwritten: not the user's send buffer
   */
  Accumulator(ScheduleBuilder builder, Slice contribution, boolean writable) {
    this.builder = builder;
    this.at = contribution;
    this.writable = writable;
  }

  Slice at() {
    return at;
  }

  /** Returns whether the partial result lies in the receive buffer. */
  boolean isHome() {
    return builder.isReceiveBuffer(at);
  }

  /** Keeps a part only. */
  void narrow(long from, long units) {
    at = at.part(from, units);
  }

  /**
   * Prepares for a contribution, before it is received: decides where the result will lie.
   *
   * @param fromLower it comes from lower ranks
   * @param ordered operands must keep their places
   * @param home where to move the partial result, should it have to become writable
   */
  void expect(boolean fromLower, boolean ordered, Slice home) {
    intoReceived = ordered ? !fromLower : !(writable && isHome());
    if (!intoReceived && !writable) {
      builder.copy(at, home);
      at = home;
      writable = true;
    }
  }

  /** Returns whether the result will lie where the contribution is received, which must then be kept. */
  boolean keepsReceived() {
    return intoReceived;
  }

  /**
   * Combines a part that has been received.
   *
   * @param from where the part begins
   * @param received where it was received
   * @return where its result lies
   */
  Slice combine(long from, Slice received) {
    Slice own = at.part(from, received.units());
    if (intoReceived) {
      builder.reduce(own, received);
      return received;
    }
    builder.reduce(received, own);
    return own;
  }

  /** Ends a contribution of which all parts have been combined. */
  void combined(Slice received) {
    if (intoReceived) {
      at = received;
      writable = true;
    }
  }

  /** Combines with a contribution that is received as a whole. */
  void combineAll(Slice received) {
    combine(0, received);
    combined(received);
  }
}
