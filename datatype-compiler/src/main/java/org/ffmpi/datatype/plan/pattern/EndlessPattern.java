// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/**
 * A pattern that repeats endlessly, as the loops move it.
 *
 * <p>Elements follow one another {@code extent} apart, which is one more loop around the element's pattern. Where that
 * loop fuses with the element's outermost one, the {@code unit} is the body of that: for a column of a matrix, resized
 * to the distance of columns, one number.
 */
public final class EndlessPattern {
  /** From element to element. */
  public final long extent;

  /** Where the stream of an element begins. */
  public final long displacement;

  /** One element, or null when elements have no bytes. */
  public final Pattern element;

  /** The pattern that repeats {@code unitStride} apart, from {@code displacement} on; null like the element. */
  public final Pattern unit;

  /** From unit to unit. */
  public final long unitStride;

  /** Null when the shared loops are best. Set at most once, before the pattern is published. */
  public LoopCopier hot;

  /**
   * Creates the endless pattern of a normalised element.
   *
   * @param placed the element, or null when it has no bytes
   * @param extent from element to element
   */
  public EndlessPattern(PlacedPattern placed, long extent) {
    this.extent = extent;
    this.displacement = placed == null ? 0 : placed.displacement();
    Pattern whole = placed == null ? null : placed.pattern();
    Pattern inner = whole;
    long stride = extent;
    while (inner instanceof LoopPattern loop && isProduct(stride, loop.count, loop.stride)) {
      inner = loop.body;
      stride = loop.stride;
    }
    this.element = whole;
    this.unit = inner == null ? null : Patterns.withListedLoops(inner);
    this.unitStride = stride;
    if (placed != null) {
      Math.addExact(displacement, whole.low);
      Math.addExact(displacement, whole.high);
      Math.subtractExact(whole.high, whole.low);
    }
  }

  private static boolean isProduct(long product, long a, long b) {
    return Math.multiplyHigh(a, b) == (a * b) >> (Long.SIZE - 1) && a * b == product;
  }

  public long size() {
    return element == null ? 0 : element.size;
  }

  public long trueLowerBound() {
    return element == null ? 0 : displacement + element.low;
  }

  public long trueExtent() {
    return element == null ? 0 : element.high - element.low;
  }

  /** Returns whether memory and stream are the same. */
  public boolean isContiguous() {
    return element == null || unit instanceof BlockPattern && unit.size == unitStride;
  }
}
