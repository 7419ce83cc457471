// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** Rows of copies of one pattern at irregular places, each row of its own length. */
public final class ScatterPattern extends Pattern {
  /** One for each row, the first of them 0. Never written. */
  public final long[] displacements;

  /** Copies in each row, all positive. Never written. */
  public final long[] counts;

  /** From copy to copy within a row. */
  public final long stride;

  public final Pattern body;

  /** Null when the shared loops are best. Set at most once, before the pattern is published. */
  public LoopCopier hot;

  private final long[] starts;

  ScatterPattern(long[] displacements, long[] counts, long stride, Pattern body) {
    this(displacements, counts, stride, body, StreamOffsets.of(counts, body.size),
        Extremes.of(displacements, counts, stride));
  }

  private ScatterPattern(
      long[] displacements, long[] counts, long stride, Pattern body, long[] starts, Extremes rows) {
    super(
        starts[counts.length],
        Math.addExact(rows.low, body.low), Math.addExact(rows.high, body.high), Math.addExact(rows.last, body.end),
        rows.runs(displacements, counts, stride, body),
        ((Arrays.hashCode(displacements) * 31 + Arrays.hashCode(counts)) * 31 + Long.hashCode(stride)) * 31
            + body.hashCode() + 4);
    this.displacements = displacements;
    this.counts = counts;
    this.stride = stride;
    this.body = body;
    this.starts = starts;
  }

  /** Lowest, highest and last origin of a copy. */
  private record Extremes(long low, long high, long last) {
    static Extremes of(long[] displacements, long[] counts, long stride) {
      long low = 0;
      long high = 0;
      long last = 0;
      for (int i = 0; i < counts.length; i++) {
        long reach = Math.multiplyExact(counts[i] - 1, stride);
        last = Math.addExact(displacements[i], reach);
        low = Math.min(low, Math.min(displacements[i], last));
        high = Math.max(high, Math.max(displacements[i], last));
      }
      return new Extremes(low, high, last);
    }

    long runs(long[] displacements, long[] counts, long stride, Pattern body) {
      long runs = 0;
      for (int i = 0; i < counts.length; i++) {
        runs += stride == body.end ? counts[i] * (body.runs - 1) + 1 : counts[i] * body.runs;
        if (i > 0 && displacements[i - 1] + (counts[i - 1] - 1) * stride + body.end == displacements[i]) {
          runs--;
        }
      }
      return runs;
    }
  }

  @Override
  public void all(Copier copier, Object array, long at, long copyStride, long copies, long other, long otherStride) {
    long rowStride = copier.dense ? body.size : stride;
    for (long c = 0; c < copies; c++) {
      long to = at + c * copyStride;
      long o = other + c * otherStride;
      for (int i = 0; i < counts.length; i++) {
        long displacement = displacements[i];
        long row = o + (copier.dense ? starts[i] : displacement);
        if (hot == null || !hot.move(copier, array, to + displacement, counts[i], row, rowStride)) {
          body.all(copier, array, to + displacement, stride, counts[i], row, rowStride);
        }
      }
    }
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    long rowStride = copier.dense ? body.size : stride;
    long end = from + bytes;
    long position = from;
    for (int i = StreamOffsets.find(starts, from); position < end; i++) {
      long n = Math.min(starts[i + 1], end) - position;
      long displacement = displacements[i];
      body.range(
          copier, array, at + displacement, stride, hot, position - starts[i], n,
          other + (copier.dense ? position - from : displacement), rowStride);
      position += n;
    }
  }

  /** Returns the row that a byte of the stream lies in. */
  public int indexOf(long position) {
    return StreamOffsets.find(starts, position);
  }

  /** Returns where in the stream a row begins. */
  public long start(int index) {
    return starts[index];
  }

  @Override
  public long words() {
    return 3 + 2L * counts.length + body.words();
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    for (int i = 0; i < counts.length; i++) {
      for (long c = 0; c < counts[i]; c++) {
        body.forEachRun(base + displacements[i] + c * stride, sink);
      }
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    ScatterPattern p = (ScatterPattern) other;
    return stride == p.stride && Arrays.equals(displacements, p.displacements) && Arrays.equals(counts, p.counts)
        && body.equals(p.body);
  }
}
