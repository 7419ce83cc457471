// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import org.ffmpi.datatype.basic.Element;

/**
 * MAXLOC and MINLOC of pairs that have no name, and of C's {@code long double} and {@code int}. One kernel serves all
 * of them and chooses the representation of value and index for each element. The rules are those of the named pairs: a
 * NaN wins, and of equal values, the two zeros and two NaNs included, the one with the lower index.
 */
final class ValueIndexKernel extends ElementKernel {
  private final StoredNumber value;
  private final StoredNumber index;
  private final long indexAt;
  private final int stride;
  private final int direction;

  /**
   * Creates a kernel.
   *
   * @param op MAXLOC or MINLOC
   * @param value representation of the value
   * @param index representation of the index, an integer
   * @param indexAt displacement of the index
   * @param stride bytes from one pair to the next
   */
  ValueIndexKernel(PredefinedOp op, Element value, Element index, long indexAt, int stride) {
    super(1, stride, (int) (indexAt + index.bounds().size()));
    this.value = StoredNumber.of(value);
    this.index = StoredNumber.of(index);
    this.indexAt = indexAt;
    this.stride = stride;
    this.direction = op == PredefinedOp.MAXLOC ? 1 : -1;
  }

  @Override
  public void reduce(long in, long inout, long count) {
    for (long i = 0, a = in, b = inout; i < count; i++, a += stride, b += stride) {
      int order = value.compare(a, b, direction);
      value.copyWinner(order, a, b, b, direction);
      boolean takesIndex = order > 0 || order == 0 && index.compare(a + indexAt, b + indexAt, 1) < 0;
      if (takesIndex) {
        index.copy(a + indexAt, b + indexAt);
      }
    }
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    for (long at = 0, end = count * stride; at < end; at += stride) {
      value.copy(right + at, out + at);
      index.copy(right + indexAt + at, out + indexAt + at);
    }
    reduce(left, out, count);
  }

  @Override
  boolean reduceArray(long in, Object array, int kind, int from, int count) {
    return false;
  }
}
