// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * Turns a shape into a plan: lists the runs of bytes in typemap order, joins neighbours, and picks the plan that is made
 * for what it found. Called by commit, in any thread; has no state.
 */
public final class PlanCompiler {
  private PlanCompiler() {}

  /**
   * Compiles a shape.
   *
   * @param shape the bytes of one element
   * @param extent distance in memory from one element to the next
   * @return a plan that packs and unpacks elements of that shape
   */
  public static Plan compile(Shape shape, long extent) {
    BlockList blocks = new BlockList();
    list(shape, 0, blocks);
    long[] displacements = blocks.displacements();
    long[] lengths = blocks.lengths();
    long size = 0;
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (int i = 0; i < lengths.length; i++) {
      size += lengths[i];
      first = Math.min(first, displacements[i]);
      end = Math.max(end, displacements[i] + lengths[i]);
    }
    if (size == 0) {
      first = 0;
      end = 0;
    }
    // Equal size and extent do not make elements contiguous: their bytes may be permuted, or lie at a shifted place.
    boolean oneRun = lengths.length == 1 && size == extent;
    return oneRun
        ? new ContiguousPlan(size, extent, first)
        : new BlockPlan(size, extent, first, end - first, displacements, lengths);
  }

  private static void list(Shape shape, long base, BlockList into) {
    switch (shape) {
      case Shape.Run(long displacement, long bytes) -> into.add(base + displacement, bytes);
      case Shape.Repeat(long displacement, long count, long stride, Shape body) -> {
        for (long i = 0; i < count; i++) {
          list(body, base + displacement + i * stride, into);
        }
      }
      case Shape.Scatter(long[] displacements, long[] counts, long stride, Shape body) -> {
        for (int b = 0; b < counts.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            list(body, base + displacements[b] + i * stride, into);
          }
        }
      }
      case Shape.Sequence sequence -> sequence.parts().forEach(part -> list(part, base, into));
    }
  }
}
