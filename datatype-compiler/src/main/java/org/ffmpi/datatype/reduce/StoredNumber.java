// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.basic.Element;

/**
 * Compares and copies numbers in memory, for kernels that choose the representation at run time: integers of up to 128
 * bits, with and without sign, and floating point.
 */
enum StoredNumber {
  /** Signed 8-bit integer. */
  INT8(1, true),
  /** Unsigned 8-bit integer. */
  UINT8(1, false),
  /** Signed 16-bit integer. */
  INT16(2, true),
  /** Unsigned 16-bit integer. */
  UINT16(2, false),
  /** Signed 32-bit integer. */
  INT32(4, true),
  /** Unsigned 32-bit integer. */
  UINT32(4, false),
  /** Signed 64-bit integer. */
  INT64(8, true),
  /** Unsigned 64-bit integer. */
  UINT64(8, false),
  /** Signed 128-bit integer, low word first. */
  INT128(16, true),
  /** Half precision. */
  FLOAT16(2, true),
  /** Single precision. */
  FLOAT32(4, true),
  /** Double precision. */
  FLOAT64(8, true),
  /** C's {@code long double}. */
  LONG_DOUBLE(WideFormat.LONG_DOUBLE),
  /** Quadruple precision. */
  FLOAT128(WideFormat.QUADRUPLE);

  private final int width;
  private final boolean signed;
  /** The format of floating-point numbers that Java has no type for; null for others. */
  private final WideFormat wide;

  StoredNumber(int width, boolean signed) {
    this.width = width;
    this.signed = signed;
    this.wide = null;
  }

  StoredNumber(WideFormat wide) {
    this.width = 16;
    this.signed = true;
    this.wide = wide;
  }

  /** Returns the number of a representation, or null when such elements are no numbers with an order. */
  static StoredNumber of(Element element) {
    for (StoredNumber number : values()) {
      if (number.name().equals(element.name())) {
        return number;
      }
    }
    return null;
  }

  boolean isFloating() {
    return compareTo(FLOAT16) >= 0;
  }

  /**
   * Compares two numbers. Positive when the left one wins, negative when the right one wins, 0 for a tie. A NaN wins
   * against any number and ties with a NaN.
   *
   * @param direction 1 when the greater number wins, -1 when the smaller one does
   */
  int compare(long left, long right, int direction) {
    if (wide != null) {
      boolean leftIsNaN = wide.isNaN(left);
      boolean rightIsNaN = wide.isNaN(right);
      return leftIsNaN || rightIsNaN
          ? Boolean.compare(leftIsNaN, rightIsNaN)
          : direction * wide.compare(left, right);
    }
    if (isFloating()) {
      double a = real(left);
      double b = real(right);
      if (Double.isNaN(a) || Double.isNaN(b)) {
        return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
      }
      return a > b ? direction : a < b ? -direction : 0;
    }
    int high = width == 16 ? Long.compare(Raw.getLong(left + 8), Raw.getLong(right + 8)) : 0;
    if (high != 0) {
      return direction * high;
    }
    long a = low(left);
    long b = low(right);
    boolean byBits = this == UINT64 || this == INT128;
    return direction * (byBits ? Long.compareUnsigned(a, b) : Long.compare(a, b));
  }

  /** Returns whether a number is the zero that a maximum (direction 1, 0.0) or minimum (-1, -0.0) of both zeros is. */
  private boolean isZeroToPrefer(long at, int direction) {
    if (wide != null) {
      return wide.isZero(at) && wide.isNegative(at) == direction < 0;
    }
    return isFloating() && Double.doubleToRawLongBits(real(at)) == (direction > 0 ? 0 : Long.MIN_VALUE);
  }

  /**
   * Chooses between two numbers by the rules of {@link #compare}, and between two zeros.
   *
   * @param order what compare has returned
   * @param out where the winner is copied, padding as 0; may be the right operand
   */
  void copyWinner(int order, long left, long right, long out, int direction) {
    boolean takesLeft = order > 0 || order == 0 && isZeroToPrefer(left, direction);
    if (takesLeft || right != out || wide != null) {
      copy(takesLeft ? left : right, out);
    }
  }

  /** Copies a number; padding becomes 0. */
  void copy(long from, long to) {
    if (wide != null) {
      wide.copy(from, to);
      return;
    }
    switch (width) {
      case 1 -> Raw.putByte(to, Raw.getByte(from));
      case 2 -> Raw.putShort(to, Raw.getShort(from));
      case 4 -> Raw.putInt(to, Raw.getInt(from));
      case 8 -> Raw.putLong(to, Raw.getLong(from));
      default -> {
        Raw.putLong(to, Raw.getLong(from));
        Raw.putLong(to + 8, Raw.getLong(from + 8));
      }
    }
  }

  private double real(long at) {
    return switch (width) {
      case 2 -> Float.float16ToFloat(Raw.getShort(at));
      case 4 -> Raw.getFloat(at);
      default -> Raw.getDouble(at);
    };
  }

  private long low(long at) {
    return switch (width) {
      case 1 -> signed ? Raw.getByte(at) : Raw.getByte(at) & 0xff;
      case 2 -> signed ? Raw.getShort(at) : Raw.getShort(at) & 0xffff;
      case 4 -> signed ? Raw.getInt(at) : Raw.getInt(at) & 0xffff_ffffL;
      default -> Raw.getLong(at);
    };
  }
}
