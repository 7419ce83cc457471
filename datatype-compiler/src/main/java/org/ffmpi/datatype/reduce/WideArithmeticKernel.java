// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/** SUM and PROD of floating-point numbers that Java has no type for, and PROD of complex numbers of two of them. */
final class WideArithmeticKernel extends ElementKernel {
  private static final int WIDTH = 16;

  private final Operation operation;
  private final int stride;
  private final WideFormat format;

  /** The operations. */
  enum Operation { SUM, PRODUCT, COMPLEX_PRODUCT }

  /**
   * Creates a kernel.
   *
   * @param operation the operation
   * @param format the format of the numbers or of their parts
   */
  WideArithmeticKernel(Operation operation, WideFormat format) {
    int stride = operation == Operation.COMPLEX_PRODUCT ? 2 * WIDTH : WIDTH;
    super(1, stride, stride);
    this.operation = operation;
    this.stride = stride;
    this.format = format;
  }

  @Override
  public void reduce(long in, long inout, long count) {
    combine(in, inout, inout, count);
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    Registers registers = new Registers();
    for (long at = 0, end = count * stride; at < end; at += stride) {
      switch (operation) {
        case SUM -> registers.sum(left + at, right + at, out + at);
        case PRODUCT -> registers.product(left + at, right + at, out + at);
        case COMPLEX_PRODUCT -> registers.complexProduct(left + at, right + at, out + at);
      }
    }
  }

  @Override
  boolean reduceArray(long in, Object array, int kind, int from, int count) {
    return false;
  }

  /** The numbers of one call. All operands are read before the first result is written. */
  private final class Registers {
    private final WideReal a = new WideReal();
    private final WideReal b = new WideReal();
    private final WideReal c = new WideReal();
    private final WideReal d = new WideReal();
    private final WideReal x = new WideReal();
    private final WideReal y = new WideReal();
    private final WideReal real = new WideReal();
    private final WideReal imaginary = new WideReal();

    void sum(long left, long right, long out) {
      format.load(left, a);
      format.load(right, b);
      x.sum(a, b, format);
      format.store(x, out);
    }

    void product(long left, long right, long out) {
      format.load(left, a);
      format.load(right, b);
      x.product(a, b, format);
      format.store(x, out);
    }

    /** {@code (a + bi)(c + di)}, each of its six operations rounded. */
    void complexProduct(long left, long right, long out) {
      format.load(left, a);
      format.load(left + WIDTH, b);
      format.load(right, c);
      format.load(right + WIDTH, d);
      x.product(a, c, format);
      y.product(b, d, format);
      real.difference(x, y, format);
      x.product(a, d, format);
      y.product(b, c, format);
      imaginary.sum(x, y, format);
      format.store(real, out);
      format.store(imaginary, out + WIDTH);
    }
  }
}
