// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.util.function.LongConsumer;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.LoopCopier;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/**
 * The endless loop around a pattern at one distance, and the loops generated for it, if any. Blocks and nests around
 * them have no generated loops, since the shared ones are best. No class is generated or requested before the first
 * use.
 */
public final class HotLoop implements LoopCopier {
  private final Pattern body;
  private final long stride;
  private final LongConsumer made;

  /** Written without order: its object is safe to see early, and making it twice does no harm. */
  private GeneratedCopiers copiers;

  private boolean asked;

  private HotLoop(Pattern body, long stride, LongConsumer made) {
    this.body = body;
    this.stride = stride;
    this.made = made;
  }

  /** Returns the loop, or null when the shared loops are best. */
  static HotLoop around(Pattern body, long stride, LongConsumer made) {
    Pattern inner = body;
    while (inner instanceof LoopPattern loop) {
      inner = loop.body;
    }
    return inner instanceof BlockPattern ? null : new HotLoop(body, stride, made);
  }

  /**
   * Attaches a loop to be generated to a new pattern and to each loop inside, before the pattern is published.
   *
   * @param pattern the pattern
   * @param made receives the cost in words of each class that is made for it, in the thread that makes it
   */
  public static void attach(EndlessPattern pattern, LongConsumer made) {
    if (pattern.unit != null) {
      pattern.hot = around(pattern.unit, pattern.unitStride, made);
      attach(pattern.unit, made);
    }
  }

  private static void attach(Pattern pattern, LongConsumer made) {
    if (pattern instanceof LoopPattern loop) {
      if (loop.hot == null) {
        loop.hot = around(loop.body, loop.stride, made);
        attach(loop.body, made);
      }
    } else if (pattern instanceof ScatterPattern scatter) {
      if (scatter.hot == null) {
        scatter.hot = around(scatter.body, scatter.stride, made);
        attach(scatter.body, made);
      }
    } else if (pattern instanceof SequencePattern sequence) {
      for (Pattern part : sequence.parts) {
        attach(part, made);
      }
    }
  }

  @Override
  public boolean move(Copier copier, Object array, long at, long count, long other, long otherStride) {
    GeneratedCopiers known = copiers;
    if (known == null && !asked) {
      known = ask();
    }
    return known != null && known.move(copier, array, at, stride, count, count * body.size, other, otherStride);
  }

  private GeneratedCopiers ask() {
    copiers = GeneratedCopiers.of(body, stride, made);
    asked = true;
    return copiers;
  }
}
