// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import java.util.Arrays;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;

/**
 * Two nests of loops around a block, brought to common loops, the innermost one first; the last one is endless. Loops
 * that differ are split: 6 against 2 becomes 2 inside 3. That works when at each level one count divides the other.
 */
final class NestPair {
  private static final long ENDLESS = Long.MAX_VALUE;

  private final long block;
  private long[] counts = new long[4];
  private long[] sourceStrides = new long[4];
  private long[] targetStrides = new long[4];
  private long[] sizes;
  private int loops;

  /** The loops of one side from the inside out, of which the current one may be split already. */
  private static final class Side {
    private final long[] counts;
    private final long[] strides;
    private int loop;
    private long count;
    private long stride;

    Side(EndlessPattern core, long block) {
      int n = 0;
      long[] c = new long[Long.SIZE + 2];
      long[] s = new long[Long.SIZE + 2];
      if (!core.isContiguous()) {
        Pattern pattern = core.unit;
        while (pattern instanceof LoopPattern loop) {
          c[n] = loop.count;
          s[n++] = loop.stride;
          pattern = loop.body;
        }
        reverse(c, n);
        reverse(s, n);
        if (pattern.size > block) {
          System.arraycopy(c, 0, c, 1, n);
          System.arraycopy(s, 0, s, 1, n);
          c[0] = pattern.size / block;
          s[0] = block;
          n++;
        }
      }
      c[n] = ENDLESS;
      s[n] = core.isContiguous() ? block : core.unitStride;
      this.counts = c;
      this.strides = s;
      this.count = c[0];
      this.stride = s[0];
    }

    private static void reverse(long[] values, int n) {
      for (int i = 0; i < n / 2; i++) {
        long v = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = v;
      }
    }

    /** Splits off a loop of {@code taken} iterations of the current loop; false when they do not fit. */
    boolean split(long taken) {
      if (count == taken) {
        if (count != ENDLESS) {
          loop++;
          count = counts[loop];
          stride = strides[loop];
        }
        return true;
      }
      if (count != ENDLESS && count % taken != 0) {
        return false;
      }
      count = count == ENDLESS ? ENDLESS : count / taken;
      stride *= taken;
      return true;
    }
  }

  private NestPair(long block) {
    this.block = block;
  }

  /** Returns the common nest of two plans, or null when a side is no such nest or they do not divide one another. */
  static NestPair of(EndlessPattern source, EndlessPattern target) {
    long sourceBlock = block(source);
    long targetBlock = block(target);
    if (sourceBlock < 0 || targetBlock < 0) {
      return null;
    }
    NestPair pair = new NestPair(gcd(sourceBlock, targetBlock));
    Side from = new Side(source, pair.block);
    Side to = new Side(target, pair.block);
    while (true) {
      long count = Math.min(from.count, to.count);
      pair.add(count, from.stride, to.stride);
      if (count == ENDLESS) {
        return pair.finish();
      }
      if (!from.split(count) || !to.split(count)) {
        return null;
      }
    }
  }

  /**
   * Returns the block of a nest, 0 for a side without gaps, which fits any, and -1 for a pattern that is not a nest.
   */
  private static long block(EndlessPattern core) {
    if (core.isContiguous()) {
      return 0;
    }
    Pattern pattern = core.unit;
    while (pattern instanceof LoopPattern loop) {
      pattern = loop.body;
    }
    return pattern instanceof BlockPattern ? pattern.size : -1;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private void add(long count, long sourceStride, long targetStride) {
    int last = loops - 1;
    if (last >= 0 && sourceStride == counts[last] * sourceStrides[last]
        && targetStride == counts[last] * targetStrides[last]) {
      counts[last] = count == ENDLESS ? ENDLESS : counts[last] * count;
      return;
    }
    if (loops == counts.length) {
      counts = Arrays.copyOf(counts, 2 * loops);
      sourceStrides = Arrays.copyOf(sourceStrides, 2 * loops);
      targetStrides = Arrays.copyOf(targetStrides, 2 * loops);
    }
    counts[loops] = count;
    sourceStrides[loops] = sourceStride;
    targetStrides[loops++] = targetStride;
  }

  private NestPair finish() {
    sizes = new long[loops];
    sizes[0] = block;
    for (int i = 1; i < loops; i++) {
      sizes[i] = sizes[i - 1] * counts[i - 1];
    }
    return this;
  }

  long block() {
    return block;
  }

  int loops() {
    return loops;
  }

  long count(int loop) {
    return counts[loop];
  }

  /** Bytes of data in one iteration. */
  long size(int loop) {
    return sizes[loop];
  }

  long sourceStride(int loop) {
    return sourceStrides[loop];
  }

  long targetStride(int loop) {
    return targetStrides[loop];
  }
}
