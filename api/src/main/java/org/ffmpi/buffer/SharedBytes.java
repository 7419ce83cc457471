// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import org.ffmpi.Buf;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/**
 * Finds arguments that share memory although they must not. It finds only certain cases, in a fixed number of steps:
 * columns of a matrix may interleave without sharing a byte, and such a call must not be refused. Of a type with gaps,
 * the first and the last byte of each element's span certainly hold data.
 */
final class SharedBytes {
  private SharedBytes() {}

  /** Returns whether a byte certainly belongs to both; both are of committed types. */
  static boolean isCertain(Buf<?> a, Buf<?> b) {
    boolean sameMemory =
        BufImpl.of(a).memoryKind() == BufImpl.of(b).memoryKind()
            && (BufImpl.of(a).memoryKind() == Memory.NATIVE || BufImpl.of(a).memoryOwner()
            == BufImpl.of(b).memoryOwner());
    if (!sameMemory || BufImpl.of(a).packedBytes() == 0 || BufImpl.of(b).packedBytes() == 0 || !spansMeet(a, b)) {
      return false;
    }
    if (BufImpl.of(a).plan().isContiguous()) {
      return BufImpl.of(b).plan().isContiguous() || touches(b, low(a), high(a));
    }
    return BufImpl.of(b).plan().isContiguous() ? touches(a, low(b), high(b)) : sameGrid(a, b);
  }

  private static boolean spansMeet(Buf<?> a, Buf<?> b) {
    return low(a) < high(b) && low(b) < high(a);
  }

  private static long low(Buf<?> buf) {
    Plan plan = BufImpl.of(buf).plan();
    return first(buf) + Math.min(0, (buf.count() - 1) * plan.extent());
  }

  private static long high(Buf<?> buf) {
    Plan plan = BufImpl.of(buf).plan();
    return first(buf) + plan.trueExtent() + Math.max(0, (buf.count() - 1) * plan.extent());
  }

  /** The first byte of element 0. */
  private static long first(Buf<?> buf) {
    return BufImpl.of(buf).memoryOffset() + BufImpl.of(buf).plan().trueLowerBound();
  }

  /** Returns whether the first or the last byte of an element lies in a range. */
  private static boolean touches(Buf<?> buf, long from, long to) {
    long extent = BufImpl.of(buf).plan().extent();
    long last = BufImpl.of(buf).plan().trueExtent() - 1;
    return hits(first(buf), extent, buf.count(), from, to) || hits(first(buf) + last, extent, buf.count(), from, to);
  }

  /** Returns whether one of {@code n} numbers, {@code step} apart, lies in a range. */
  private static boolean hits(long first, long step, long n, long from, long to) {
    if (step < 0) {
      return hits(first + (n - 1) * step, -step, n, from, to);
    }
    if (first >= from || step == 0) {
      return first >= from && first < to;
    }
    long next = (from - first + step - 1) / step;
    return next < n && first + next * step < to;
  }

  /** Returns whether the two are elements of one sequence and have one in common. */
  private static boolean sameGrid(Buf<?> a, Buf<?> b) {
    if (BufImpl.of(a).plan() != BufImpl.of(b).plan()) {
      return false;
    }
    long apart = BufImpl.of(b).memoryOffset() - BufImpl.of(a).memoryOffset();
    long extent = BufImpl.of(a).plan().extent();
    if (extent == 0 || apart == 0) {
      return apart == 0;
    }
    long elements = apart / extent;
    return apart % extent == 0 && (elements > 0 ? elements < a.count() : -elements < b.count());
  }
}
