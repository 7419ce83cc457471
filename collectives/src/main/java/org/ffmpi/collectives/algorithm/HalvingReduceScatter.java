// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * A reduce-scatter of short parts by recursive halving. Partners n/2, n/4 … 1 apart exchange halves of what they still
 * have, each combining the half in which its own part lies. Each rank sends log2 n messages instead of n - 1, and less
 * than one vector. Where n is no power of two, some even ranks have the odd one above them do their work.
 *
 * <p>Partners far apart come first, so that parts stay together: for operations that commute.
 */
final class HalvingReduceScatter extends Algorithm {
  HalvingReduceScatter(Collective collective) {
    super("recursive-halving", collective, "log2 n rounds");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return !shape.ordered();
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Fold fold = new Fold(shape.rank(), shape.size());
    Slice sum = builder.contribution(0, shape.start(shape.size()));
    Slice result = builder.receiveBuffer(0, shape.length(shape.rank()));
    if (fold.isFoldedAway()) {
      builder.send(fold.keeper(), sum);
      builder.receive(fold.keeper(), result);
      return;
    }
    if (fold.isKeeper()) {
      sum = combine(builder, sum, fold.folded(), builder.scratch(sum.units()));
    }
    int low = 0;
    for (int half = fold.size() >> 1; half > 0; half >>= 1) {
      long cut = shape.start(fold.first(low + half)) - shape.start(fold.first(low));
      Slice lower = sum.part(0, cut);
      Slice upper = sum.part(cut, sum.units() - cut);
      boolean isLower = fold.rank() < low + half;
      int partner = fold.original(fold.rank() ^ half);
      builder.send(partner, isLower ? upper : lower);
      Slice kept = isLower ? lower : upper;
      boolean direct = half == 1 && !fold.isKeeper() && !shape.inPlace();
      sum = combine(builder, kept, partner, direct ? result : builder.scratch(kept.units()));
      low += isLower ? 0 : half;
    }
    if (fold.isKeeper()) {
      builder.send(fold.folded(), sum.part(0, sum.units() - result.units()));
    }
    builder.copy(sum.part(sum.units() - result.units(), result.units()), result);
  }

  /** Receives a contribution and combines it with the own one in its place. */
  private static Slice combine(ScheduleBuilder builder, Slice own, int from, Slice place) {
    builder.receive(from, place);
    builder.reduce(own, place);
    return place;
  }
}
