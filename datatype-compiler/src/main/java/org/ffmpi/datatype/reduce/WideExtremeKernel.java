// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/**
 * MAX and MIN of floating-point numbers that Java has no type for, by the rules of {@link Math#max(double, double)}.
 * The winner is copied as it is, so that a NaN keeps its bits.
 */
final class WideExtremeKernel extends ElementKernel {
  private static final int STRIDE = 16;

  private final StoredNumber number;
  private final int direction;

  /**
   * Creates a kernel.
   *
   * @param op MAX or MIN
   * @param number the elements
   */
  WideExtremeKernel(PredefinedOp op, StoredNumber number) {
    super(1, STRIDE, STRIDE);
    this.number = number;
    this.direction = op == PredefinedOp.MAX ? 1 : -1;
  }

  @Override
  public void reduce(long in, long inout, long count) {
    combine(in, inout, inout, count);
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    for (long at = 0, end = count * STRIDE; at < end; at += STRIDE) {
      int order = number.compare(left + at, right + at, direction);
      number.copyWinner(order, left + at, right + at, out + at, direction);
    }
  }

  @Override
  boolean reduceArray(long in, Object array, int kind, int from, int count) {
    return false;
  }
}
