// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * What all plans share that move bytes alike: the pattern in the form in which it is run, and what is found out about
 * it later. Made once for each normalised shape and extent as long as {@link PlanCache} remembers it.
 *
 * <p>Elements follow one another endlessly, {@code extent} apart, which is one more loop around the element's pattern.
 * Where that loop fuses with the element's outermost one, the {@code unit} is what is inside: of a column of a matrix,
 * resized to the distance of columns, one number.
 */
final class Compiled {
  /** From element to element. */
  final long extent;

  /** Where the stream of an element begins. */
  final long displacement;

  /** One element, or null when elements have no bytes. */
  final Pattern element;

  /** What is repeated {@code unitStride} apart, from {@code displacement} on; null like the element. */
  final Pattern unit;

  /** From unit to unit. */
  final long unitStride;

  /** Generated loops over units, null when the shared ones are best. */
  final LoopCopier hot;

  private final Overlap overlap = new Overlap(this);
  private final Transfers transfers = new Transfers(this);

  /**
   * Takes over a normalised element.
   *
   * @param placed the element, or null when it has no bytes
   * @param extent from element to element
   */
  Compiled(Placed placed, long extent) {
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
    this.unit = inner == null ? null : inner.settled();
    this.unitStride = stride;
    this.hot = unit == null ? null : HotLoop.around(unit, stride);
    if (placed != null) {
      HotLoop.attach(unit);
      Math.addExact(displacement, whole.low);
      Math.addExact(displacement, whole.high);
      Math.subtractExact(whole.high, whole.low);
    }
  }

  private static boolean isProduct(long product, long a, long b) {
    return Math.multiplyHigh(a, b) == (a * b) >> (Long.SIZE - 1) && a * b == product;
  }

  long size() {
    return element == null ? 0 : element.size;
  }

  long trueLowerBound() {
    return element == null ? 0 : displacement + element.low;
  }

  long trueExtent() {
    return element == null ? 0 : element.high - element.low;
  }

  /** Tells whether memory and stream look the same. */
  boolean isContiguous() {
    return element == null || unit instanceof BlockPattern && unit.size == unitStride;
  }

  Overlap overlap() {
    return overlap;
  }

  Transfers transfers() {
    return transfers;
  }
}
