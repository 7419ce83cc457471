// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.Patterns;

/** The cached answer whether elements name a byte twice. Any number of elements does when a smaller number does. */
final class SelfOverlap {
  private final EndlessPattern core;
  private volatile long freeUpTo;
  private volatile long foundFrom = Long.MAX_VALUE;

  SelfOverlap(EndlessPattern core) {
    this.core = core;
  }

  boolean of(long count) {
    if (core.element == null || count <= freeUpTo) {
      return false;
    }
    if (count >= foundFrom) {
      return true;
    }
    boolean found = search(count);
    // A benign race: a result of another thread that is overwritten here is only computed again.
    if (found) {
      foundFrom = count;
    } else {
      freeUpTo = count;
    }
    return found;
  }

  /** Elements further apart than their data reach share no byte; the first ones stand for all at equal distances. */
  private long within(long count) {
    long distance = Math.abs(core.extent);
    return distance == 0 ? 2 : Math.min(count, core.trueExtent() / distance + 2);
  }

  private boolean search(long count) {
    try {
      Pattern all = Patterns.loop(count, core.extent, core.element);
      return OverlapSearch.overlaps(count <= 2 ? all : Patterns.loop(within(count), core.extent, core.element));
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "a number of elements whose data span less than 2^63 bytes");
    }
  }
}
