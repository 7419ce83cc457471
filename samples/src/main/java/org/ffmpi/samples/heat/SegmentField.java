// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.ffmpi.Buf;
import org.ffmpi.datatype.Datatype;

/**
 * A field off the heap, row after row in one segment. Rows are computed in a window of small arrays that stay in the
 * first-level cache: bulk copies in and out cost less than a loop over segments, which HotSpot does not vectorise.
 */
final class SegmentField extends Field {
  private static final long CACHE_LINE = 64;

  private final int size;
  private final double[] left;
  private final double[] right;
  private final double[] result;
  private double[] above;
  private double[] here;
  private double[] below;
  private MemorySegment now;
  private MemorySegment next;

  private SegmentField(Block block, MemorySegment now, MemorySegment next) {
    super(block);
    this.size = block.size();
    this.now = now;
    this.next = next;
    setEdges(edges(now), edges(next));
    left = new double[size];
    right = new double[size];
    result = new double[size];
    above = new double[size];
    here = new double[size];
    below = new double[size];
  }

  /** Makes a field in memory of this process alone. */
  static SegmentField inNativeMemory(Block block) {
    // Automatic: no scope in this program is as long as the field's life, and any thread may then send from it.
    return in(Arena.ofAuto(), block);
  }

  /** Makes a field in memory from an allocator that clears it. */
  static SegmentField in(SegmentAllocator allocator, Block block) {
    long bytes = (block.rows() + 2L) * block.size() * Double.BYTES;
    return new SegmentField(block, allocator.allocate(bytes, CACHE_LINE), allocator.allocate(bytes, CACHE_LINE));
  }

  /** Returns the bytes that both moments of a block take, with what separates them. */
  static long bytes(Block block) {
    return 2 * ((block.rows() + 2L) * block.size() * Double.BYTES + CACHE_LINE);
  }

  /** Returns how many cells the second moment lies behind the first. */
  static long distance(Block block) {
    long bytes = (block.rows() + 2L) * block.size() * Double.BYTES;
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE / Double.BYTES;
  }

  private Edges edges(MemorySegment rows) {
    int last = block().rows();
    Buf<Double> row = Buf.of(rows, size, Datatype.DOUBLE);
    return new Edges(row, row.at(offset(1)), row.at(offset(last)), row.at(offset(last + 1)));
  }

  private long offset(int row) {
    return (long) row * size * Double.BYTES;
  }

  @Override
  void advance(int first, int last) {
    if (first > last) {
      return;
    }
    read(first - 1, above);
    read(first, here);
    for (int i = first; i <= last; i++) {
      read(i + 1, below);
      Stencil.shift(here, left, right, size);
      Stencil.row(above, here, below, left, right, result, size);
      MemorySegment.copy(result, 0, next, JAVA_DOUBLE, offset(i), size);
      double[] free = above;
      above = here;
      here = below;
      below = free;
    }
  }

  @Override
  void flipCells() {
    MemorySegment rows = now;
    now = next;
    next = rows;
  }

  @Override
  void read(int row, double[] into) {
    MemorySegment.copy(now, JAVA_DOUBLE, offset(row), into, 0, size);
  }

  @Override
  void write(int row, double[] from) {
    MemorySegment.copy(from, 0, now, JAVA_DOUBLE, offset(row), size);
  }
}
