// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * The bytes of a buffer, as intervals of one space. The space is an array, by its identity, or all native memory, by
 * its addresses. Immutable. Any thread.
 */
final class ByteRuns {
  /** Most intervals that are kept; more are known by their bounds alone, and are not compared. */
  private static final int MOST = 1 << 14;

  /** The space of all native memory. */
  private static final Object NATIVE = new Object();

  private final Object space;
  private final long low;
  private final long high;

  /** Starts and ends in turn, sorted; null for one interval. */
  private final long[] runs;
  private final boolean isExact;

  private ByteRuns(Object space, long low, long high, long[] runs, boolean isExact) {
    this.space = space;
    this.low = low;
    this.high = high;
    this.runs = runs;
    this.isExact = isExact;
  }

  /** Returns the bytes of elements of a plan; null without any. */
  static ByteRuns of(int kind, Object owner, long offset, long count, Plan plan) {
    if (count == 0 || owner == null || plan == null || plan.size() == 0) {
      return null;
    }
    boolean isArray = !(owner instanceof MemorySegment);
    long base = offset;
    if (!isArray && kind != Memory.NATIVE) {
      MemorySegment segment = (MemorySegment) owner;
      if (!segment.isNative()) {
        return null; // a read-only view of an array, which hides the array
      }
      base += Raw.address(segment);
    }
    Object space = isArray ? owner : NATIVE;
    if (plan.isRun(count)) {
      long low = base + plan.trueLowerBound();
      return new ByteRuns(space, low, low + count * plan.size(), null, true);
    }
    long runs = Math.max(1, plan.runs());
    if (count > MOST / runs) {
      long first = base + plan.trueLowerBound();
      long last = first + (count - 1) * plan.extent();
      return new ByteRuns(
          space, Math.min(first, last), Math.max(first, last) + plan.trueExtent(), null, false);
    }
    long[] found = new long[(int) (2 * count * runs)];
    int[] length = new int[1];
    long from = base;
    plan.forEachRun(count, (displacement, bytes) -> {
      found[length[0]++] = from + displacement;
      found[length[0]++] = from + displacement + bytes;
    });
    return of(space, found, length[0]);
  }

  private static ByteRuns of(Object space, long[] found, int length) {
    long[][] pairs = new long[length / 2][];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = new long[] {found[2 * i], found[2 * i + 1]};
    }
    Arrays.sort(pairs, (a, b) -> Long.compare(a[0], b[0]));
    long[] runs = new long[length];
    long high = Long.MIN_VALUE;
    for (int i = 0; i < pairs.length; i++) {
      runs[2 * i] = pairs[i][0];
      runs[2 * i + 1] = pairs[i][1];
      high = Math.max(high, pairs[i][1]);
    }
    return new ByteRuns(space, runs[0], high, runs, true);
  }

  /** Returns the array that the bytes belong to, or what stands for all native memory. */
  Object space() {
    return space;
  }

  /** Returns where the first byte lies in the space. */
  long low() {
    return low;
  }

  /** Returns where the last byte lies in the space, and one more. */
  long high() {
    return high;
  }

  /** Returns whether a byte belongs to both. */
  boolean overlaps(ByteRuns other) {
    if (space != other.space || low >= other.high || other.low >= high) {
      return false;
    }
    if (!isExact || !other.isExact) {
      return false; // too many to compare: no finding is better than a wrong one
    }
    int i = 0;
    int j = 0;
    while (i < intervals() && j < other.intervals()) {
      if (start(i) < other.end(j) && other.start(j) < end(i)) {
        return true;
      }
      if (end(i) <= other.end(j)) {
        i++;
      } else {
        j++;
      }
    }
    return false;
  }

  private int intervals() {
    return runs == null ? 1 : runs.length / 2;
  }

  private long start(int i) {
    return runs == null ? low : runs[2 * i];
  }

  private long end(int i) {
    return runs == null ? high : runs[2 * i + 1];
  }

  /** Describes the memory, such as "bytes 0 to 79 of a double[]". */
  String describe() {
    return space == NATIVE
        ? "its " + (high - low) + " bytes of native memory"
        : "bytes " + low + " to " + (high - 1) + " of a " + space.getClass().getSimpleName();
  }
}
