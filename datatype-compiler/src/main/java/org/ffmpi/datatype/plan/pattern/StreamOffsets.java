// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** The stream offsets at which the members of a list begin, and the search for the member that holds an offset. */
public final class StreamOffsets {
  /** Up to this many members a linear search is faster than a binary one. */
  private static final int FEW = 8;

  private StreamOffsets() {}

  /** Returns the sums of the sizes before each member and after the last; overflow is an ArithmeticException. */
  public static long[] of(long[] sizes, long unit) {
    long[] starts = new long[sizes.length + 1];
    for (int i = 0; i < sizes.length; i++) {
      starts[i + 1] = Math.addExact(starts[i], Math.multiplyExact(sizes[i], unit));
    }
    return starts;
  }

  /** Returns the last member that begins at or before a position that lies before the end; no member is empty. */
  public static int find(long[] starts, long position) {
    if (starts.length <= FEW) {
      int i = 0;
      while (starts[i + 1] <= position) {
        i++;
      }
      return i;
    }
    int found = Arrays.binarySearch(starts, position);
    return found >= 0 ? found : -found - 2;
  }
}
