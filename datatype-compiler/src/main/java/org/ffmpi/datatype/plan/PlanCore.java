// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.function.LongConsumer;
import org.ffmpi.datatype.plan.codegen.HotLoop;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;
import org.ffmpi.datatype.plan.transfer.Transfers;

/**
 * The common part of all plans that move bytes alike: the pattern, and facts about it that are computed later. Made
 * once for each normalised shape and extent as long as {@link PlanCache} holds it.
 */
final class PlanCore {
  /** The pattern to move. */
  final EndlessPattern pattern;

  /** The search for bytes that elements name twice. */
  final SelfOverlap overlap;

  /** The ways from other plans. */
  final Transfers transfers;

  /**
   * Creates the core of a normalised element.
   *
   * @param placed the element, or null when it has no bytes
   * @param extent from element to element
   * @param made receives the size in words of each class that is generated for the pattern
   */
  PlanCore(PlacedPattern placed, long extent, LongConsumer made) {
    this.pattern = new EndlessPattern(placed, extent);
    this.overlap = new SelfOverlap(pattern);
    this.transfers = new Transfers(pattern);
    HotLoop.attach(pattern, made);
  }
}
