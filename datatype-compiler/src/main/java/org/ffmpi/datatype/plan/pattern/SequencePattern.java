// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** Different patterns one after the other, of which at least one is not a list of runs. */
public final class SequencePattern extends Pattern {
  /** One for each part, the first of them 0. Never written. */
  public final long[] displacements;

  /** As many. Never written. */
  public final Pattern[] parts;

  private final long[] starts;

  /** Overflow is an ArithmeticException. */
  SequencePattern(long[] displacements, Pattern[] parts) {
    this(displacements, parts, starts(parts));
  }

  private SequencePattern(long[] displacements, Pattern[] parts, long[] starts) {
    super(
        starts[parts.length], low(displacements, parts), high(displacements, parts),
        Math.addExact(displacements[parts.length - 1], parts[parts.length - 1].end), runs(displacements, parts),
        Arrays.hashCode(displacements) * 31 + Arrays.hashCode(parts) + 5);
    this.displacements = displacements;
    this.parts = parts;
    this.starts = starts;
  }

  private static long[] starts(Pattern[] parts) {
    long[] sizes = new long[parts.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = parts[i].size;
    }
    return StreamOffsets.of(sizes, 1);
  }

  private static long low(long[] displacements, Pattern[] parts) {
    long low = 0;
    for (int i = 0; i < parts.length; i++) {
      low = Math.min(low, Math.addExact(displacements[i], parts[i].low));
    }
    return low;
  }

  private static long high(long[] displacements, Pattern[] parts) {
    long high = 0;
    for (int i = 0; i < parts.length; i++) {
      high = Math.max(high, Math.addExact(displacements[i], parts[i].high));
    }
    return high;
  }

  private static long runs(long[] displacements, Pattern[] parts) {
    long runs = 0;
    for (int i = 0; i < parts.length; i++) {
      runs += parts[i].runs;
      if (i > 0 && displacements[i - 1] + parts[i - 1].end == displacements[i]) {
        runs--;
      }
    }
    return runs;
  }

  @Override
  public void all(Copier copier, Object array, long at, long stride, long count, long other, long otherStride) {
    for (long c = 0; c < count; c++) {
      long to = at + c * stride;
      long o = other + c * otherStride;
      for (int i = 0; i < parts.length; i++) {
        Pattern part = parts[i];
        long displacement = displacements[i];
        part.all(copier, array, to + displacement, 0, 1, o + (copier.dense ? starts[i] : displacement), part.size);
      }
    }
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    long end = from + bytes;
    long position = from;
    for (int i = StreamOffsets.find(starts, from); position < end; i++) {
      long n = Math.min(starts[i + 1], end) - position;
      long displacement = displacements[i];
      parts[i].range(
          copier, array, at + displacement, 0, null, position - starts[i], n,
          other + (copier.dense ? position - from : displacement), parts[i].size);
      position += n;
    }
  }

  /** Returns the part that a byte of the stream lies in. */
  public int indexOf(long position) {
    return StreamOffsets.find(starts, position);
  }

  /** Returns where in the stream a part begins. */
  public long start(int index) {
    return starts[index];
  }

  @Override
  public long words() {
    long sum = 2;
    for (Pattern part : parts) {
      sum += 1 + part.words();
    }
    return sum;
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    for (int i = 0; i < parts.length; i++) {
      parts[i].forEachRun(base + displacements[i], sink);
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    SequencePattern p = (SequencePattern) other;
    return Arrays.equals(displacements, p.displacements) && Arrays.equals(parts, p.parts);
  }
}
