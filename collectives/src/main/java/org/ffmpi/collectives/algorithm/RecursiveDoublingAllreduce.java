// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.spi.Collective;

/**
 * An allreduce of short messages. In round k partners 2^k apart exchange all they have and both combine it, so that
 * log2 n rounds give every rank the result.
 *
 * <p>Every rank combines for itself. To get the same bits all keep operands in the order of ranks, also where the
 * operation commutes, and combine in the same tree: ((0 1)(2 3))((4 5)(6 7)). Where n is no power of two, the first n -
 * 2^k even ranks give their contribution to the odd one above them and get the result from it at the end.
 */
final class RecursiveDoublingAllreduce extends Algorithm {
  RecursiveDoublingAllreduce() {
    super("recursive-doubling", Collective.ALLREDUCE, "log2 n rounds");
  }

  @Override
  void build(CallShape shape, ScheduleBuilder builder) {
    Fold fold = new Fold(shape.rank(), shape.size());
    Slice mine = builder.contribution(0, shape.units());
    Slice result = builder.receiveBuffer(0, shape.units());
    if (fold.isFoldedAway()) {
      builder.send(fold.keeper(), mine);
      builder.receive(fold.keeper(), result);
      return;
    }
    Accumulator sum = new Accumulator(builder, mine, shape.inPlace());
    Slice[] spare = new Slice[2];
    if (fold.isKeeper()) {
      sum.expect(true, true, result);
      Slice place = spare(builder, sum, spare, shape.units());
      builder.receive(fold.folded(), place);
      sum.combineAll(place);
    }
    for (int mask = 1; mask < fold.size(); mask <<= 1) {
      int partner = fold.rank() ^ mask;
      builder.send(fold.original(partner), sum.at());
      sum.expect(partner < fold.rank(), true, result);
      boolean last = mask << 1 == fold.size();
      Slice place = last && !sum.isHome() ? result : spare(builder, sum, spare, shape.units());
      builder.receive(fold.original(partner), place);
      sum.combineAll(place);
    }
    builder.copy(sum.at(), result);
    if (fold.isKeeper()) {
      builder.send(fold.folded(), result);
    }
  }

  /** Returns scratch memory that does not hold the partial result. */
  private static Slice spare(ScheduleBuilder builder, Accumulator sum, Slice[] spare, long units) {
    int i = spare[0] != null && spare[0].isSame(sum.at()) ? 1 : 0;
    if (spare[i] == null) {
      spare[i] = builder.scratch(units);
    }
    return spare[i];
  }
}
