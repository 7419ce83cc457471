// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.Arrays;

/** A set of bytes as sorted intervals that neither overlap nor touch. Not safe for several threads. */
final class RunSet {
  /** First positions and ends in turn. */
  private long[] bounds = new long[2];
  private int length;

  RunSet() {}

  /** Creates a set from the words of {@link #words}. */
  RunSet(long[] words) {
    bounds = words;
    length = words.length;
  }

  long[] words() {
    return Arrays.copyOf(bounds, length);
  }

  boolean isEmpty() {
    return length == 0;
  }

  long first() {
    return bounds[0];
  }

  long end() {
    return bounds[length - 1];
  }

  /** Adds the bytes from a position to an end, which is not part of them. */
  void add(long first, long end) {
    if (end <= first) {
      return;
    }
    int from = length;
    while (from > 0 && bounds[from - 1] >= first) {
      from -= 2; // the interval before ends at or behind the new one's start
    }
    int to = from;
    long low = first;
    long high = end;
    while (to < length && bounds[to] <= high) {
      low = Math.min(low, bounds[to]);
      high = Math.max(high, bounds[to + 1]);
      to += 2;
    }
    int grown = length - (to - from) + 2;
    long[] target = grown > bounds.length ? Arrays.copyOf(bounds, 2 * grown) : bounds;
    System.arraycopy(bounds, to, target, from + 2, length - to);
    target[from] = low;
    target[from + 1] = high;
    bounds = target;
    length = grown;
  }

  /** Returns the same bytes at other positions. */
  RunSet shifted(long by) {
    long[] words = words();
    for (int i = 0; i < words.length; i++) {
      words[i] += by;
    }
    return new RunSet(words);
  }

  boolean contains(long first, long end) {
    int low = 0;
    int high = length / 2; // the intervals from here on begin behind the first byte
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[2 * middle] <= first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && end <= bounds[2 * low - 1];
  }

  /**
   * Looks for bytes that are in this set and in another one.
   *
   * @param unit length of elements that may be in both; 0 when no byte may be
   * @return first byte and end of the first such bytes; null when all that meet are the same elements, or none do
   */
  long[] meets(RunSet other, long unit) {
    int i = 0;
    int j = 0;
    while (i < length && j < other.length) {
      long low = Math.max(bounds[i], other.bounds[j]);
      long high = Math.min(bounds[i + 1], other.bounds[j + 1]);
      if (low < high && (unit == 0 || (bounds[i] - other.bounds[j]) % unit != 0)) {
        return new long[] {low, high};
      }
      if (bounds[i + 1] < other.bounds[j + 1]) {
        i += 2;
      } else {
        j += 2;
      }
    }
    return null;
  }
}
