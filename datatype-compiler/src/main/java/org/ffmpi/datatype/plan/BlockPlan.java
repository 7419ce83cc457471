// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Arrays;
import org.ffmpi.base.raw.Memory;

/**
 * Elements given as a list of byte runs in typemap order, repeated every extent. Serves every shape, one copy per run;
 * shapes that are worth a loop of their own have other plans.
 */
final class BlockPlan extends Plan {
  private final long[] displacements;
  private final long[] lengths;

  /** Stream position, within an element, of each run's first byte. */
  private final long[] starts;

  /**
   * Creates a plan.
   *
   * @param size of an element in the stream
   * @param extent from element to element
   * @param trueLowerBound where the data of an element begin
   * @param trueExtent what the data of an element span
   * @param displacements of the runs from the element's address
   * @param lengths of the runs, all positive, summing up to the type's size
   */
  BlockPlan(
      long size, long extent, long trueLowerBound, long trueExtent, long[] displacements, long[] lengths) {
    super(size, extent, trueLowerBound, trueExtent);
    this.displacements = displacements;
    this.lengths = lengths;
    this.starts = new long[lengths.length];
    for (int i = 1; i < lengths.length; i++) {
      starts[i] = starts[i - 1] + lengths[i - 1];
    }
  }

  @Override
  public boolean isContiguous() {
    return false;
  }

  @Override
  public void pack(int kind, Object owner, long offset, long count, long from, long bytes, long dst) {
    if (bytes == 0) {
      return;
    }
    long element = from / size();
    long within = from - element * size();
    int block = blockAt(within);
    long skip = within - starts[block];
    long base = offset + element * extent();
    long to = dst;
    long left = bytes;
    while (true) {
      long run = Math.min(lengths[block] - skip, left);
      Memory.read(kind, owner, base + displacements[block] + skip, to, run);
      left -= run;
      if (left == 0) {
        return;
      }
      to += run;
      skip = 0;
      if (++block == lengths.length) {
        block = 0;
        base += extent();
      }
    }
  }

  @Override
  public void unpack(long src, int kind, Object owner, long offset, long count, long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    long element = from / size();
    long within = from - element * size();
    int block = blockAt(within);
    long skip = within - starts[block];
    long base = offset + element * extent();
    long at = src;
    long left = bytes;
    while (true) {
      long run = Math.min(lengths[block] - skip, left);
      Memory.write(kind, owner, base + displacements[block] + skip, at, run);
      left -= run;
      if (left == 0) {
        return;
      }
      at += run;
      skip = 0;
      if (++block == lengths.length) {
        block = 0;
        base += extent();
      }
    }
  }

  @Override
  void transferTo(
      Plan target, long src, long srcCount,
      int kind, Object owner, long offset, long count,
      long from, long bytes) {
    if (bytes == 0) {
      return;
    }
    long element = from / size();
    long within = from - element * size();
    int block = blockAt(within);
    long skip = within - starts[block];
    long base = src + element * extent();
    long position = from;
    long end = from + bytes;
    while (true) {
      long run = Math.min(lengths[block] - skip, end - position);
      target.unpack(base + displacements[block] + skip, kind, owner, offset, count, position, run);
      position += run;
      if (position == end) {
        return;
      }
      skip = 0;
      if (++block == lengths.length) {
        block = 0;
        base += extent();
      }
    }
  }

  /** Returns the run that holds a stream position within an element. */
  private int blockAt(long within) {
    int found = Arrays.binarySearch(starts, within);
    return found >= 0 ? found : -found - 2;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("every ").append(extent()).append(':');
    for (int i = 0; i < lengths.length; i++) {
      text.append(' ').append(lengths[i]).append(" at ").append(displacements[i]);
    }
    return text.toString();
  }
}
