// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.basic.LongDoubleForm;

/**
 * The two floating-point formats of 16 bytes. Both have a sign and 15 bits of exponent, so they have the same range,
 * and differ in precision. Padding is written as 0, so that equal results are equal bytes.
 */
enum WideFormat {
  /**
   * The x87 format, {@code long double} on x86-64: 8 bytes of significand with its leading 1, then sign and exponent in
   * 2 bytes, then 6 bytes of padding. A leading 0 is allowed only where the exponent is 0; other such encodings are
   * invalid to the processor, and NaNs here. A leading 1 where the exponent is 0 is a normal number, written otherwise.
   */
  X87(64) {
    private static final int SIGN_AND_EXPONENT = 0xffff;

    private static int exponentBits(long at) {
      return Raw.getShort(at + Long.BYTES) & EXPONENT_BITS;
    }

    @Override
    boolean isNegative(long at) {
      return Raw.getShort(at + Long.BYTES) < 0;
    }

    @Override
    boolean isNaN(long at) {
      long significand = Raw.getLong(at);
      int exponent = exponentBits(at);
      boolean isInvalid = exponent != 0 && significand >= 0;
      return isInvalid || exponent == EXPONENT_BITS && significand != LEADING_ONE;
    }

    @Override
    long magnitudeHigh(long at) {
      int exponent = exponentBits(at);
      return exponent == 0 && Raw.getLong(at) < 0 ? 1 : exponent;
    }

    @Override
    long magnitudeLow(long at) {
      return Raw.getLong(at);
    }

    @Override
    void copy(long from, long to) {
      Raw.putLong(to, Raw.getLong(from));
      Raw.putLong(to + Long.BYTES, Raw.getLong(from + Long.BYTES) & SIGN_AND_EXPONENT);
    }

    @Override
    void load(long at, WideReal number) {
      long significand = Raw.getLong(at);
      int exponent = exponentBits(at);
      boolean negative = isNegative(at);
      if (exponent != 0 && significand >= 0) {
        number.setInvalid(this);
      } else if (exponent == EXPONENT_BITS) {
        number.setSpecial(negative, significand & ~LEADING_ONE, 0);
      } else {
        number.setFinite(negative, Math.max(1, exponent) - BIAS, significand, 0);
      }
    }

    @Override
    void store(WideReal number, long at) {
      long significand = number.encodedHigh();
      int exponent = number.encodedExponent();
      Raw.putLong(at, exponent == 0 ? significand : significand | LEADING_ONE);
      Raw.putLong(at + Long.BYTES, exponent | (number.isNegative() ? EXPONENT_BITS + 1 : 0));
    }
  },
  /**
   * IEEE quadruple precision, {@code REAL*16}, and {@code long double} on other machines, low word first: 112 bits of
   * fraction, 15 bits of exponent, sign.
   */
  QUADRUPLE(113) {
    private static final int EXPONENT_AT = 48;
    private static final long FRACTION_HIGH = (1L << EXPONENT_AT) - 1;
    /** Bits above the fraction in the high word, less the one of the leading 1. */
    private static final int SHIFT = Long.SIZE - EXPONENT_AT - 1;

    @Override
    boolean isNegative(long at) {
      return Raw.getLong(at + Long.BYTES) < 0;
    }

    @Override
    boolean isNaN(long at) {
      long high = magnitudeHigh(at);
      long infinity = (long) EXPONENT_BITS << EXPONENT_AT;
      return high > infinity || high == infinity && Raw.getLong(at) != 0;
    }

    @Override
    long magnitudeHigh(long at) {
      return Raw.getLong(at + Long.BYTES) & Long.MAX_VALUE;
    }

    @Override
    long magnitudeLow(long at) {
      return Raw.getLong(at);
    }

    @Override
    void copy(long from, long to) {
      Raw.putLong(to, Raw.getLong(from));
      Raw.putLong(to + Long.BYTES, Raw.getLong(from + Long.BYTES));
    }

    @Override
    void load(long at, WideReal number) {
      long high = Raw.getLong(at + Long.BYTES);
      long low = Raw.getLong(at);
      int exponent = (int) (high >>> EXPONENT_AT) & EXPONENT_BITS;
      long fraction = (high & FRACTION_HIGH) << SHIFT | low >>> Long.SIZE - SHIFT;
      if (exponent == EXPONENT_BITS) {
        number.setSpecial(high < 0, fraction, low << SHIFT);
      } else {
        long leading = exponent == 0 ? 0 : LEADING_ONE;
        number.setFinite(high < 0, Math.max(1, exponent) - BIAS, leading | fraction, low << SHIFT);
      }
    }

    @Override
    void store(WideReal number, long at) {
      long high = number.encodedHigh() & ~LEADING_ONE;
      long sign = number.isNegative() ? Long.MIN_VALUE : 0;
      Raw.putLong(at, high << Long.SIZE - SHIFT | number.encodedLow() >>> SHIFT);
      Raw.putLong(at + Long.BYTES, sign | (long) number.encodedExponent() << EXPONENT_AT | high >>> SHIFT);
    }
  };

  /** The format of C's {@code long double} on this machine. */
  static final WideFormat LONG_DOUBLE = LongDoubleForm.IS_QUADRUPLE ? QUADRUPLE : X87;

  /** Exponent of infinities and NaNs as it is stored; a mask of the exponent's bits, too. */
  static final int EXPONENT_BITS = 0x7fff;
  /** Bias that is added to an exponent to store it. */
  static final int BIAS = 0x3fff;
  /** The leading 1 of a significand of 64 or 128 bits in its (higher) word. */
  static final long LEADING_ONE = Long.MIN_VALUE;

  private final int precision;

  WideFormat(int precision) {
    this.precision = precision;
  }

  /** Returns the bits of a significand, the leading 1 included. */
  int precision() {
    return precision;
  }

  abstract boolean isNegative(long at);

  abstract boolean isNaN(long at);

  /** Returns the higher part of a number that orders absolute values. */
  abstract long magnitudeHigh(long at);

  /** Returns the lower part, an unsigned number. */
  abstract long magnitudeLow(long at);

  /** Copies a number as it is; padding becomes 0. */
  abstract void copy(long from, long to);

  /** Reads a number. */
  abstract void load(long at, WideReal number);

  /** Writes a number that is rounded to this format. */
  abstract void store(WideReal number, long at);

  boolean isZero(long at) {
    return (magnitudeHigh(at) | magnitudeLow(at)) == 0;
  }

  /**
   * Compares two numbers, neither of which is a NaN.
   *
   * @return 0 for zeros of either sign
   */
  int compare(long left, long right) {
    if (isZero(left) && isZero(right)) {
      return 0;
    }
    boolean negative = isNegative(left);
    if (negative != isNegative(right)) {
      return negative ? -1 : 1;
    }
    int high = Long.compare(magnitudeHigh(left), magnitudeHigh(right));
    int order = high != 0 ? high : Long.compareUnsigned(magnitudeLow(left), magnitudeLow(right));
    return negative ? -order : order;
  }
}
