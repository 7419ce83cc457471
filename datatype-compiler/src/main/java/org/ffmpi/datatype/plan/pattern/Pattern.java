// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/**
 * The normal form of a {@link ByteShape}. The first byte of a pattern's stream has displacement 0; the holder of a
 * pattern has its place. No pattern is empty, and none has parts that a simpler pattern could stand for, which {@link
 * Patterns} ensures as the only maker of patterns. Hence every level of nesting at least doubles the size, and no
 * pattern is nested deeper than a {@code long} has bits.
 *
 * <p>A pattern is moved by handing whole loops to a {@link Copier}. {@link #all} moves whole copies in batches as large
 * as the kernels allow; {@link #part} moves a piece of one copy; {@link #range} splits any piece of an endless row of
 * copies into a part, whole copies and another part. A seek costs one division for each level and a binary search in a
 * ragged list.
 *
 * <p>In all three {@code other} is the other side: with a {@linkplain Copier#dense dense} copier the address of the
 * first byte of stream to move, else the origin of the first copy there, copies being {@code otherStride} apart. With a
 * dense copier {@code otherStride} is the pattern's size.
 */
public abstract sealed class Pattern
    permits BlockPattern, LoopPattern, EqualRunsPattern, RunsPattern, ScatterPattern, SequencePattern {
  /** Bytes of data. */
  public final long size;

  /** Lowest displacement of a byte of data: zero or less. */
  public final long low;

  /** One more than the highest displacement of a byte of data. */
  public final long high;

  /** One more than the displacement of the stream's last byte; a run that begins there continues the last run. */
  public final long end;

  /** Number of runs when neighbours in the stream that are neighbours in memory count as one. */
  public final long runs;

  private final int hash;

  Pattern(long size, long low, long high, long end, long runs, int hash) {
    this.size = size;
    this.low = low;
    this.high = high;
    this.end = end;
    this.runs = runs;
    this.hash = hash;
  }

  /** Moves {@code count} whole copies, {@code stride} apart, the first with its origin at {@code at}. */
  public abstract void all(Copier copier, Object array, long at, long stride, long count, long other, long otherStride);

  /** Moves {@code bytes} bytes of one copy from byte {@code from} of its stream on; both ends lie within the copy. */
  public abstract void part(Copier copier, Object array, long at, long from, long bytes, long other);

  /**
   * Moves bytes {@code from} to {@code from + bytes} of the stream of endlessly many copies, {@code stride} apart,
   * whole ones through {@code hot} where that is not null.
   */
  public final void range(
      Copier copier, Object array, long at, long stride, LoopCopier hot, long from, long bytes, long other,
      long otherStride) {
    long to = at;
    long o = other;
    long left = bytes;
    if (from != 0) {
      long copy = from / size;
      long within = from - copy * size;
      to += copy * stride;
      if (!copier.dense) {
        o += copy * otherStride;
      }
      if (within != 0) {
        long head = Math.min(size - within, left);
        part(copier, array, to, within, head, o);
        left -= head;
        to += stride;
        o += copier.dense ? head : otherStride;
      }
    }
    if (left >= size) {
      long whole = left / size;
      if (hot == null || !hot.move(copier, array, to, whole, o, otherStride)) {
        all(copier, array, to, stride, whole, o, otherStride);
      }
      left -= whole * size;
      to += whole * stride;
      o += whole * otherStride;
    }
    if (left > 0) {
      part(copier, array, to, 0, left, o);
    }
  }

  /** Returns the number of words that a flat plan needs. */
  public abstract long words();

  /** Passes all runs in typemap order to a sink, displaced by {@code base}; neighbours are not joined. */
  public abstract void forEachRun(long base, RunSink sink);

  /** Returns whether an equal pattern of the same class moves the same bytes; {@code other} has the same hash. */
  abstract boolean sameAs(Pattern other);

  @Override
  public final boolean equals(Object o) {
    return this == o
        || o instanceof Pattern p && hash == p.hash && size == p.size && getClass() == p.getClass() && sameAs(p);
  }

  @Override
  public final int hashCode() {
    return hash;
  }
}
