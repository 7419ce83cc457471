// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.util.function.LongFunction;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;

/**
 * Writer of the steps by which one rank combines the operands of several ranks that it can read. The order is exactly
 * that of the message algorithms of {@code Selector}'s table, so that a result has the same bits with either algorithm.
 * Operands keep their places, so that operations need not commute.
 */
final class OperandOrder {
  /** A source of operands. */
  interface Source {
    /** Adds a step that copies a rank's operand. */
    void take(int rank, Slice into);

    /** Adds a step that replaces {@code right} by that rank's operand op {@code right}. */
    void add(int rank, Slice right);
  }

  private final CallShape shape;
  private final ScheduleBuilder builder;
  private final Source source;
  private final LongFunction<Slice> newSpare;
  private final Slice[] spare = new Slice[Integer.SIZE];

  /**
   * Creates a writer.
   *
   * @param newSpare makes memory for as many units as are combined at once
   */
  OperandOrder(CallShape shape, ScheduleBuilder builder, Source source, LongFunction<Slice> newSpare) {
    this.shape = shape;
    this.builder = builder;
    this.source = source;
    this.newSpare = newSpare;
  }

  /** Combines what a rank's result is made of. */
  void combine(Slice into) {
    switch (shape.collective()) {
      case REDUCE -> binomial(0, Tree.ceilingPowerOfTwo(shape.size()), into, 0);
      case ALLREDUCE -> {
        Fold fold = new Fold(shape.rank(), shape.size());
        balanced(fold, 0, fold.size(), into, 0);
      }
      case REDUCE_SCATTER_BLOCK, REDUCE_SCATTER -> {
        source.take(shape.size() - 1, into);
        for (int rank = shape.size() - 2; rank >= 0; rank--) {
          source.add(rank, into);
        }
      }
      case SCAN -> ascending(shape.rank(), into);
      case EXSCAN -> ascending(shape.rank() - 1, into);
      default -> throw new AssertionError(shape);
    }
  }

  /** As recursive doubling: folded to a power of two, then neighbours first. */
  private void balanced(Fold fold, int low, int span, Slice into, int depth) {
    if (span == 1) {
      int rank = fold.original(low);
      source.take(rank, into);
      if (fold.isPair(low)) {
        source.add(rank - 1, into);
      }
      return;
    }
    int half = span / 2;
    balanced(fold, low + half, half, into, depth);
    if (half == 1 && !fold.isPair(low)) {
      source.add(fold.original(low), into);
    } else {
      Slice left = spare(depth, into);
      balanced(fold, low, half, left, depth + 1);
      builder.reduce(left, into);
    }
  }

  /** As a binomial tree, whose root is number 0. */
  private void binomial(int low, int span, Slice into, int depth) {
    int half = span / 2;
    if (span == 1) {
      source.take(rank(low), into);
    } else if (low + half >= shape.size()) {
      binomial(low, half, into, depth);
    } else {
      binomial(low + half, half, into, depth);
      if (half == 1) {
        source.add(rank(low), into);
      } else {
        Slice left = spare(depth, into);
        binomial(low, half, left, depth + 1);
        builder.reduce(left, into);
      }
    }
  }

  /** Numbers count from the root; where operands must keep their places, they are the ranks. */
  private int rank(int number) {
    return shape.ordered() ? number : shape.absolute(number);
  }

  /** As along a chain: what the lower ranks have together is the left operand of the next. */
  private void ascending(int last, Slice into) {
    if (!shape.ordered()) {
      source.take(0, into);
      for (int rank = 1; rank <= last; rank++) {
        source.add(rank, into); // the operands change places, which changes no bit of theirs
      }
      return;
    }
    // The result lies where the right operand was: in two places by turns, the last one being that of the result.
    for (int rank = 0; rank <= last; rank++) {
      Slice right = (last - rank) % 2 == 0 ? into : spare(0, into);
      source.take(rank, right);
      if (rank > 0) {
        builder.reduce((last - rank) % 2 == 0 ? spare(0, into) : into, right);
      }
    }
  }

  private Slice spare(int depth, Slice like) {
    if (spare[depth] == null) {
      spare[depth] = newSpare.apply(like.units());
    }
    return spare[depth].part(0, like.units());
  }
}
