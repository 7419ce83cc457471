// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.basic.Bounds;

/**
 * Adds up the bounds of a typemap that is put together from copies of others (MPI-4.1 §5.1.6, §5.1.7). Only extreme
 * positions matter, so that any number of copies costs the same. All arithmetic is checked. An {@link
 * ArithmeticException} means that an argument leads beyond 63 bits; the caller names it.
 */
final class BoundsSum {
  private long size;
  private int alignment = 1;

  private boolean anyData;
  private long trueLowerBound = Long.MAX_VALUE;
  private long trueUpperBound = Long.MIN_VALUE;
  private long dataEnd = Long.MIN_VALUE;
  private long paddedEnd = Long.MIN_VALUE;

  private boolean anyMarker;
  private long lowestMarker = Long.MAX_VALUE;
  private long highestMarker = Long.MIN_VALUE;

  /** Adds the data of copies at any places. */
  void addSize(Bounds part, long copies) {
    size = Math.addExact(size, Math.multiplyExact(copies, part.size()));
  }

  /** Adds the place of copies, at least one, of which the outermost are displaced by {@code low} and {@code high}. */
  void addSpan(Bounds part, long low, long high) {
    if (part.size() > 0) {
      anyData = true;
      alignment = Math.max(alignment, part.alignment());
      trueLowerBound = Math.min(trueLowerBound, Math.addExact(low, part.trueLowerBound()));
      trueUpperBound = Math.max(trueUpperBound, Math.addExact(high, part.trueUpperBound()));
      if (!part.marked()) {
        dataEnd = Math.max(dataEnd, Math.addExact(high, part.dataEnd()));
        paddedEnd = Math.max(paddedEnd, Math.addExact(high, part.paddedEnd()));
      }
    }
    if (part.marked()) {
      anyMarker = true;
      lowestMarker = Math.min(lowestMarker, Math.addExact(low, part.lowerBound()));
      highestMarker = Math.max(highestMarker, Math.addExact(high, part.upperBound()));
    }
  }

  /** Adds the place of {@code count} copies side by side, the first of them displaced by {@code displacement}. */
  void addBlock(Bounds part, long displacement, long count) {
    long last = Math.addExact(displacement, Math.multiplyExact(count - 1, part.extent()));
    addSpan(part, Math.min(displacement, last), Math.max(displacement, last));
  }

  /** Returns the sum with bounds from the markers of the parts or, when there are none, from the data. */
  Bounds toBounds() {
    return toBounds(false);
  }

  /** Returns the same for a struct, which counts the trailing padding of its members as data, as C compilers do. */
  Bounds toStructBounds() {
    return toBounds(true);
  }

  private Bounds toBounds(boolean struct) {
    if (anyMarker) {
      return marked(lowestMarker, highestMarker);
    }
    if (!anyData) {
      return new Bounds(size, 0, 0, 0, 0, alignment, false);
    }
    // The extent is rounded, not the upper bound.
    long end = struct ? paddedEnd : dataEnd;
    long extent = Math.subtractExact(end, trueLowerBound);
    long rounded = Math.multiplyExact(Math.ceilDiv(extent, alignment), alignment);
    long upperBound = Math.addExact(trueLowerBound, rounded);
    return new Bounds(
        size, trueLowerBound, upperBound, trueLowerBound, trueUpperBound, alignment, false, end,
        struct ? upperBound : paddedEnd);
  }

  /** Returns the sum with bounds that the constructor fixes. */
  Bounds marked(long lowerBound, long upperBound) {
    Math.subtractExact(upperBound, lowerBound);
    if (anyData) {
      Math.subtractExact(trueUpperBound, trueLowerBound);
    }
    return new Bounds(
        size,
        lowerBound,
        upperBound,
        anyData ? trueLowerBound : 0,
        anyData ? trueUpperBound : 0,
        alignment,
        true);
  }
}
