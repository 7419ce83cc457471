// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** Runs of different lengths at any places, as in structs and ragged lists. */
public final class RunsPattern extends Pattern {
  /** One for each run, the first of them 0. Never written. */
  public final long[] displacements;

  /** As many, all positive. Never written. */
  public final long[] lengths;

  /** Stream offset at which each run begins, and the end. */
  private final long[] starts;

  RunsPattern(long[] displacements, long[] lengths, long low, long high) {
    this(displacements, lengths, StreamOffsets.of(lengths, 1), low, high);
  }

  private RunsPattern(long[] displacements, long[] lengths, long[] starts, long low, long high) {
    super(
        starts[lengths.length], low, high,
        displacements[lengths.length - 1] + lengths[lengths.length - 1], lengths.length,
        Arrays.hashCode(displacements) * 31 + Arrays.hashCode(lengths) + 3);
    this.displacements = displacements;
    this.lengths = lengths;
    this.starts = starts;
  }

  @Override
  public void all(Copier copier, Object array, long at, long stride, long count, long other, long otherStride) {
    copier.runs(array, at, stride, count, displacements, lengths, 0, lengths.length, other, otherStride);
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    int first = StreamOffsets.find(starts, from);
    long end = from + bytes;
    long o = other;
    if (from != starts[first]) {
      long head = Math.min(starts[first + 1], end) - from;
      piece(copier, array, at, first, from - starts[first], head, o);
      first++;
      if (copier.dense) {
        o += head;
      }
      if (starts[first] >= end) {
        return;
      }
    }
    // The last run is whole when the next one begins at the end.
    int last = end == size ? lengths.length : StreamOffsets.find(starts, end);
    if (last > first) {
      copier.runs(array, at, 0, 1, displacements, lengths, first, last, o, 0);
      if (copier.dense) {
        o += starts[last] - starts[first];
      }
    }
    if (end > starts[last]) {
      piece(copier, array, at, last, 0, end - starts[last], o);
    }
  }

  private void piece(Copier copier, Object array, long at, int index, long within, long bytes, long other) {
    long displacement = displacements[index] + within;
    copier.blocks(array, at + displacement, bytes, 1, bytes, copier.dense ? other : other + displacement, bytes);
  }

  /** Returns the run that a byte of the stream lies in. */
  public int indexOf(long position) {
    return StreamOffsets.find(starts, position);
  }

  /** Returns where in the stream a run begins. */
  public long start(int index) {
    return starts[index];
  }

  @Override
  public long words() {
    return 2 + 2L * lengths.length;
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    for (int i = 0; i < lengths.length; i++) {
      sink.run(base + displacements[i], lengths[i]);
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    RunsPattern p = (RunsPattern) other;
    return Arrays.equals(lengths, p.lengths) && Arrays.equals(displacements, p.displacements);
  }
}
