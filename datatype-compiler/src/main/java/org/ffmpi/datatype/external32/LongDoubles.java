// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import org.ffmpi.base.raw.Raw;

/**
 * C's {@code long double} and IEEE quadruple precision. On x86-64 a {@code long double} is the x87 format: 64 bits of
 * significand with its leading 1, then sign and exponent, then 6 bytes of padding. The exponents of both formats have
 * the same range, so every value converts to quadruple precision exactly; the way back rounds to nearest, ties to even.
 * Encodings that the processor refuses (a leading 0 where the exponent needs a 1) become NaN.
 */
final class LongDoubles {
  private static final int LARGEST_EXPONENT = 0x7fff;
  private static final long LEADING_ONE = Long.MIN_VALUE;
  private static final long QUIET = 1L << 62;

  /** Bits of a quadruple's fraction that the x87 format has no room for. */
  private static final int DROPPED = 112 - 63;

  private LongDoubles() {}

  /** Converts one x87 number to a big-endian quadruple. */
  static void toExternal(long src, long dst) {
    long significand = Raw.getLong(src);
    int signAndExponent = Raw.getShort(src + Long.BYTES) & 0xffff;
    int exponent = signAndExponent & LARGEST_EXPONENT;
    long fraction = significand & ~LEADING_ONE;
    if (exponent == 0) {
      exponent = significand < 0 ? 1 : 0; // both exponents mean the same power of two
    } else if (significand >= 0) {
      exponent = LARGEST_EXPONENT;
      fraction = QUIET;
    }
    long high = (long) (signAndExponent & ~LARGEST_EXPONENT | exponent) << 48 | fraction >>> 15;
    Raw.putLong(dst, Long.reverseBytes(high));
    Raw.putLong(dst + Long.BYTES, Long.reverseBytes(fraction << DROPPED));
  }

  /** Converts one big-endian quadruple to an x87 number, its padding set to 0. */
  static void toNative(long src, long dst) {
    long high = Long.reverseBytes(Raw.getLong(src));
    long low = Long.reverseBytes(Raw.getLong(src + Long.BYTES));
    int exponent = (int) (high >>> 48) & LARGEST_EXPONENT;
    long fraction = high << 15 & ~LEADING_ONE | low >>> DROPPED;
    long rest = low & (1L << DROPPED) - 1;
    long significand;
    if (exponent == LARGEST_EXPONENT) {
      boolean lost = fraction == 0 && rest != 0; // a NaN must not become infinity
      significand = LEADING_ONE | (lost ? QUIET : fraction);
    } else {
      significand = (exponent == 0 ? 0 : LEADING_ONE) | fraction;
      long half = 1L << DROPPED - 1;
      if (rest > half || (rest == half && (fraction & 1) != 0)) {
        significand++;
        if (significand == 0) { // carried out of the top
          significand = LEADING_ONE;
          exponent++;
        } else if (exponent == 0 && significand < 0) { // the smallest number that is not subnormal
          exponent = 1;
        }
      }
    }
    Raw.putLong(dst, significand);
    Raw.putLong(dst + Long.BYTES, high >>> 48 & 0x8000 | exponent);
  }
}
