// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.function.IntToLongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;

/** An array of several dimensions in memory, with the stride of each dimension. */
public final class ArrayGrid {
  private final String name;
  private final Longs sizes;
  private final Bounds element;
  private final int[] fastestFirst;
  private final long[] strides;
  private final long extent;

  private ArrayGrid(String name, Longs sizes, Bounds element, int[] fastestFirst, long[] strides, long extent) {
    this.name = name;
    this.sizes = sizes;
    this.element = element;
    this.fastestFirst = fastestFirst;
    this.strides = strides;
    this.extent = extent;
  }

  /** Refuses an array without dimensions or with one that is not positive. */
  static void checkDimensions(String name, Longs sizes) {
    if (sizes.length() == 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name + ".length", 0, "one dimension or more");
    }
    for (int d = 0; d < sizes.length(); d++) {
      if (sizes.get(d) < 1) {
        throw MpiException.argument(ErrorClass.ERR_ARG, name + "[" + d + "]", sizes.get(d), "positive sizes");
      }
    }
  }

  /**
   * Lays out an array.
   *
   * @param name argument that gave the sizes
   * @param sizes positive, one for each dimension
   * @param order which dimension is the fastest
   * @param element bounds of an element
   */
  public static ArrayGrid of(String name, Longs sizes, Datatype.Order order, Bounds element) {
    int dimensions = sizes.length();
    int[] fastestFirst = new int[dimensions];
    long[] strides = new long[dimensions];
    long stride = element.extent();
    for (int i = 0; i < dimensions; i++) {
      int d = order == Datatype.Order.C ? dimensions - 1 - i : i;
      fastestFirst[i] = d;
      strides[d] = stride;
      try {
        stride = Math.multiplyExact(stride, sizes.get(d));
      } catch (ArithmeticException e) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, name, sizes, "sizes so that the number of bytes in the array fits in 63 bits");
      }
    }
    return new ArrayGrid(name, sizes, element, fastestFirst, strides, stride);
  }

  /** Returns the dimensions, the fastest one first. */
  public int[] fastestFirst() {
    return fastestFirst;
  }

  /** Returns the distance in bytes between neighbours along a dimension. */
  public long stride(int dimension) {
    return strides[dimension];
  }

  /**
   * Returns the bounds of a selection of elements. The true bounds follow from the selection, the others are those of
   * the whole array.
   *
   * @param owned number of indices selected along each dimension
   * @param first lowest of them
   * @param last highest of them
   */
  Bounds bounds(IntToLongFunction owned, IntToLongFunction first, IntToLongFunction last) {
    BoundsSum sum = new BoundsSum();
    long copies = 1;
    long low = 0;
    long high = 0;
    try {
      for (int d = 0; d < strides.length; d++) {
        // A selection is no larger than the array: neither product can overflow unless elements overlap.
        copies = Math.multiplyExact(copies, owned.applyAsLong(d));
        long begin = Math.multiplyExact(first.applyAsLong(d), strides[d]);
        long end = Math.multiplyExact(last.applyAsLong(d), strides[d]);
        low = Math.addExact(low, Math.min(begin, end));
        high = Math.addExact(high, Math.max(begin, end));
      }
      if (copies > 0) {
        sum.addSize(element, copies);
        sum.addSpan(element, low, high);
      }
      return sum.marked(0, extent);
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, name, sizes,
          "sizes so that every bound and the number of bytes of the type fit in 63 bits");
    }
  }
}
