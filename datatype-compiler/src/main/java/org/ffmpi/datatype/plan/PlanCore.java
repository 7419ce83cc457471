// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.function.LongConsumer;
import org.ffmpi.datatype.plan.codegen.HotLoop;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.Placed;
import org.ffmpi.datatype.plan.transfer.Transfers;

/**
 * What all plans share that move bytes alike: the pattern, and what becomes known about it later. Made once for each
 * normalised shape and extent as long as {@link PlanCache} remembers it.
 */
final class Compiled {
  /** What is moved. */
  final EndlessPattern pattern;

  /** Whether elements name a byte twice. */
  final SelfOverlap overlap;

  /** The ways from other plans. */
  final Transfers transfers;

  /**
   * Takes over a normalised element.
   *
   * @param placed the element, or null when it has no bytes
   * @param extent from element to element
   * @param made told the size in words of each class that is generated for the pattern
   */
  Compiled(Placed placed, long extent, LongConsumer made) {
    this.pattern = new EndlessPattern(placed, extent);
    this.overlap = new SelfOverlap(pattern);
    this.transfers = new Transfers(pattern);
    HotLoop.attach(pattern, made);
  }
}
