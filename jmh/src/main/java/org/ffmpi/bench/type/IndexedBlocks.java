// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.type;

import java.util.Arrays;

/**
 * Blocks of 1 to 8 doubles with gaps of 1 to 8 between them: the same ones that {@code types.h} makes for as many
 * doubles. The sequence looks random to a branch predictor.
 */
final class IndexedBlocks {
  private static final int MULTIPLIER = 1664525;
  private static final int INCREMENT = 1013904223;
  private static final int LONGEST = 8;

  final long[] lengths;
  final long[] starts;

  /** End of the last gap; in doubles, like everything here. */
  final long span;

  private int state;

  IndexedBlocks(long doubles, int seed) {
    state = seed;
    long[] l = new long[Math.toIntExact(doubles)];
    long[] s = new long[l.length];
    int n = 0;
    long at = 0;
    for (long done = 0; done < doubles; n++) {
      l[n] = Math.min(next(), doubles - done);
      s[n] = at;
      done += l[n];
      at += l[n] + next();
    }
    lengths = Arrays.copyOf(l, n);
    starts = Arrays.copyOf(s, n);
    span = at;
  }

  private int next() {
    state = state * MULTIPLIER + INCREMENT;
    return 1 + (state >>> 16) % LONGEST;
  }
}
