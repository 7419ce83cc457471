// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.spi.Collective;

/** An algorithm in which ranks publish whole contributions in their region slots, into which these must fit. */
abstract class RegionAlgorithm extends Algorithm {
  /** Name of those of one round. */
  static final String NAME = "region";

  RegionAlgorithm(String name, Collective collective, String merit) {
    super(name, collective, merit);
  }

  /** Creates one of one round. */
  RegionAlgorithm(Collective collective) {
    this(NAME, collective, "one round in shared memory");
  }

  /** Returns whether there is a region and what each rank publishes fits into its slot. */
  @Override
  public final boolean accepts(CallShape shape) {
    long bytes = publishedBytes(shape);
    boolean isSomething = bytes > 0 || shape.collective() == Collective.BARRIER;
    return shape.shared() && shape.size() > 1 && isSomething && bytes <= Region.capacity(shape.size());
  }

  /** Returns the rank at a distance from this one: ranks begin with their neighbours, to read different lines. */
  static int other(CallShape shape, int distance) {
    return (shape.rank() + distance) % shape.size();
  }
}
