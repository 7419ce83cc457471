// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.Arrays;

/** The number of elements of a result that each rank gets. Immutable; equal when all counts are. */
public final class Counts {
  private final long[] starts;

  public Counts(long... counts) {
    starts = new long[counts.length + 1];
    for (int r = 0; r < counts.length; r++) {
      starts[r + 1] = starts[r] + counts[r];
    }
  }

  public long of(int rank) {
    return starts[rank + 1] - starts[rank];
  }

  /** Returns where a rank's part begins. */
  public long start(int rank) {
    return starts[rank];
  }

  public long total() {
    return starts[starts.length - 1];
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Counts c && Arrays.equals(starts, c.starts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(starts);
  }

  @Override
  public String toString() {
    return Arrays.toString(starts);
  }
}
