// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/**
 * A floating-point number of up to 128 bits of significand, with IEEE arithmetic in software. It computes sums,
 * differences and products, rounded to nearest, ties to even, with subnormal numbers, infinities, signed zeros and
 * NaNs. Kernels make a few such objects and use them for all their elements. Not thread-safe.
 *
 * <p>A finite number other than 0 is {@code 1.fraction * 2^exponent}, its significand shifted so that the leading 1 is
 * the highest of 128 bits, also where the format stores a subnormal number. Both formats leave 15 bits or more below
 * their precision. An operation is done in all 128 bits; bits lost below set the lowest bit, as a sticky bit, and the
 * result is rounded once.
 *
 * <p>An operation on a NaN returns it, made quiet; of two a quiet one, then the one with the larger fraction, then the
 * positive one, so that the order of operands does not matter. This is the rule of the x87 processor. Undefined
 * results, and operands that the processor refuses, become the default NaN of the format's processors.
 */
final class WideReal {
  private static final int WIDTH = 2 * Long.SIZE;
  private static final int SMALLEST_EXPONENT = 1 - WideFormat.BIAS;
  private static final long LEADING_ONE = WideFormat.LEADING_ONE;
  private static final long QUIET = LEADING_ONE >>> 1;

  private enum Kind { ZERO, FINITE, INFINITE, NAN, INVALID }

  private Kind kind = Kind.ZERO;
  private boolean negative;
  private int exponent;
  private long high;
  private long low;

  // ---- what formats read and write

  /** Makes this a number, which need not be normalized: {@code high:low / 2^127 * 2^exponent}. */
  void setFinite(boolean negative, int exponent, long high, long low) {
    this.negative = negative;
    this.exponent = exponent;
    this.high = high;
    this.low = low;
    normalize();
  }

  /** Makes this an infinity, or a NaN when the fraction is not 0. */
  void setSpecial(boolean negative, long high, long low) {
    set((high | low) == 0 ? Kind.INFINITE : Kind.NAN, negative, high, low);
  }

  /** Makes this the default NaN, as an operand that no NaN displaces. */
  void setInvalid(WideFormat format) {
    // The "real indefinite" of the x87; the other format's processors return a positive one.
    set(Kind.INVALID, format == WideFormat.X87, QUIET, 0);
  }

  private void set(Kind kind, boolean negative, long high, long low) {
    this.kind = kind;
    this.negative = negative;
    this.high = high;
    this.low = low;
  }

  boolean isNegative() {
    return negative;
  }

  /** Returns the exponent as it is stored. */
  int encodedExponent() {
    return switch (kind) {
      case ZERO -> 0;
      case FINITE -> Math.max(0, exponent + WideFormat.BIAS);
      case INFINITE, NAN, INVALID -> WideFormat.EXPONENT_BITS;
    };
  }

  /** Returns the higher word of the significand as it is stored; its highest bit is 1 in normal numbers. */
  long encodedHigh() {
    return switch (kind) {
      case ZERO, INFINITE -> 0;
      case FINITE -> rightHigh(high, subnormalShift());
      case NAN, INVALID -> high;
    };
  }

  /** Returns the lower word of the significand as it is stored. */
  long encodedLow() {
    return switch (kind) {
      case ZERO, INFINITE -> 0;
      case FINITE -> rightLow(high, low, subnormalShift());
      case NAN, INVALID -> low;
    };
  }

  private int subnormalShift() {
    return Math.max(0, SMALLEST_EXPONENT - exponent);
  }

  // ---- arithmetic

  /** Makes this {@code x + y}; it is neither of them. */
  void sum(WideReal x, WideReal y, WideFormat format) {
    add(x, y, y.negative, format);
  }

  /** Makes this {@code x - y}; it is neither of them. */
  void difference(WideReal x, WideReal y, WideFormat format) {
    add(x, y, !y.negative, format);
  }

  /** Makes this {@code x * y}; it is neither of them. */
  void product(WideReal x, WideReal y, WideFormat format) {
    boolean sign = x.negative != y.negative;
    if (x.isNaN() || y.isNaN()) {
      setNaN(x, y, format);
    } else if (x.kind == Kind.INFINITE || y.kind == Kind.INFINITE) {
      if (x.kind == Kind.ZERO || y.kind == Kind.ZERO) {
        setInvalid(format);
      } else {
        set(Kind.INFINITE, sign, 0, 0);
      }
    } else if (x.kind == Kind.ZERO || y.kind == Kind.ZERO) {
      set(Kind.ZERO, sign, 0, 0);
    } else {
      multiply(x, y);
      negative = sign;
      normalize();
      round(format);
    }
  }

  private void add(WideReal x, WideReal y, boolean yNegative, WideFormat format) {
    if (x.isNaN() || y.isNaN()) {
      setNaN(x, y, format);
    } else if (x.kind == Kind.INFINITE || y.kind == Kind.INFINITE) {
      if (x.kind == y.kind && x.negative != yNegative) {
        setInvalid(format);
      } else {
        set(Kind.INFINITE, x.kind == Kind.INFINITE ? x.negative : yNegative, 0, 0);
      }
    } else if (x.kind == Kind.ZERO && y.kind == Kind.ZERO) {
      set(Kind.ZERO, x.negative && yNegative, 0, 0);
    } else if (x.kind == Kind.ZERO) {
      copy(y, yNegative);
    } else if (y.kind == Kind.ZERO) {
      copy(x, x.negative);
    } else {
      if (x.compareMagnitude(y) >= 0) {
        addMagnitudes(x, y, x.negative == yNegative);
        negative = x.negative;
      } else {
        addMagnitudes(y, x, x.negative == yNegative);
        negative = yNegative;
      }
      normalize();
      if (kind == Kind.ZERO) {
        negative = false;
      } else {
        round(format);
      }
    }
  }

  /** Adds a number that is not larger, or subtracts it, without rounding. */
  private void addMagnitudes(WideReal larger, WideReal smaller, boolean plus) {
    // Both are shifted down by one bit, so that a carry has room.
    long largerHigh = larger.high >>> 1;
    long largerLow = rightLow(larger.high, larger.low, 1);
    int shift = (int) Math.min((long) larger.exponent - smaller.exponent + 1, WIDTH);
    long smallerHigh = rightHigh(smaller.high, shift);
    long smallerLow = rightLow(smaller.high, smaller.low, shift)
        | (bitsBelow(smaller.high, smaller.low, shift) ? 1 : 0);
    if (plus) {
      low = largerLow + smallerLow;
      high = largerHigh + smallerHigh + carry(low, largerLow);
    } else {
      low = largerLow - smallerLow;
      high = largerHigh - smallerHigh - carry(largerLow, smallerLow);
    }
    exponent = larger.exponent + 1;
  }

  /** Multiplies without rounding: the higher half of 256 bits, its lowest bit set when the lower half is not 0. */
  private void multiply(WideReal x, WideReal y) {
    long lowest = x.low * y.low;
    long crossed = x.high * y.low;
    long second = Math.unsignedMultiplyHigh(x.low, y.low) + crossed;
    long carry = carry(second, crossed);
    crossed = x.low * y.high;
    second += crossed;
    carry += carry(second, crossed);
    long third = x.high * y.high + carry;
    long fourth = Math.unsignedMultiplyHigh(x.high, y.high) + carry(third, carry);
    crossed = Math.unsignedMultiplyHigh(x.high, y.low);
    third += crossed;
    fourth += carry(third, crossed);
    crossed = Math.unsignedMultiplyHigh(x.low, y.high);
    third += crossed;
    fourth += carry(third, crossed);
    high = fourth;
    low = third | ((lowest | second) != 0 ? 1 : 0);
    exponent = x.exponent + y.exponent + 1;
  }

  private int compareMagnitude(WideReal other) {
    if (exponent != other.exponent) {
      return Integer.compare(exponent, other.exponent);
    }
    return high != other.high ? Long.compareUnsigned(high, other.high) : Long.compareUnsigned(low, other.low);
  }

  private void copy(WideReal number, boolean sign) {
    kind = number.kind;
    negative = sign;
    exponent = number.exponent;
    high = number.high;
    low = number.low;
  }

  /** Moves the leading 1 to the highest bit. */
  private void normalize() {
    if ((high | low) == 0) {
      kind = Kind.ZERO;
      return;
    }
    kind = Kind.FINITE;
    int zeros = high != 0 ? Long.numberOfLeadingZeros(high) : Long.SIZE + Long.numberOfLeadingZeros(low);
    high = leftHigh(high, low, zeros);
    low = leftLow(low, zeros);
    exponent -= zeros;
  }

  /** Rounds to nearest, ties to even. Fewer bits are kept of a number that the format stores as subnormal. */
  private void round(WideFormat format) {
    long dropped = (long) WIDTH - format.precision() + Math.max(0, (long) SMALLEST_EXPONENT - exponent);
    if (dropped > WIDTH) { // less than half of the smallest number
      set(Kind.ZERO, negative, 0, 0);
      return;
    }
    int drop = (int) dropped;
    long keptHigh = rightHigh(high, drop);
    long keptLow = rightLow(high, low, drop);
    boolean half = (rightLow(high, low, drop - 1) & 1) != 0;
    if (half && (bitsBelow(high, low, drop - 1) || (keptLow & 1) != 0)) {
      keptLow++;
      keptHigh += keptLow == 0 ? 1 : 0;
    }
    if ((keptHigh | keptLow) == 0) {
      set(Kind.ZERO, negative, 0, 0);
      return;
    }
    high = leftHigh(keptHigh, keptLow, drop);
    low = leftLow(keptLow, drop);
    if ((high | low) == 0) { // carried out of the top
      high = LEADING_ONE;
      exponent++;
    }
    if (exponent > WideFormat.BIAS) {
      set(Kind.INFINITE, negative, 0, 0);
    }
  }

  // ---- NaNs

  private boolean isNaN() {
    return kind == Kind.NAN || kind == Kind.INVALID;
  }

  private void setNaN(WideReal x, WideReal y, WideFormat format) {
    if (x.kind == Kind.INVALID || y.kind == Kind.INVALID) {
      setInvalid(format);
    } else {
      WideReal nan = !y.isNaN() || x.isNaN() && x.displaces(y) ? x : y;
      set(Kind.NAN, nan.negative, nan.high | QUIET, nan.low);
    }
  }

  /** Returns which of two NaNs an operation returns. */
  private boolean displaces(WideReal other) {
    // A quiet NaN has the larger fraction, too.
    int order = high != other.high ? Long.compareUnsigned(high, other.high) : Long.compareUnsigned(low, other.low);
    return order > 0 || order == 0 && !negative;
  }

  // ---- words of 128 bits, shifted by 0 to 128

  /** Returns 1 when a sum of two words, one of them {@code addend}, has lost a carry. */
  private static int carry(long sum, long addend) {
    return Long.compareUnsigned(sum, addend) < 0 ? 1 : 0;
  }

  private static long rightHigh(long high, int by) {
    return by < Long.SIZE ? high >>> by : 0;
  }

  private static long rightLow(long high, long low, int by) {
    if (by == 0) {
      return low;
    }
    if (by < Long.SIZE) {
      return high << Long.SIZE - by | low >>> by;
    }
    return by < WIDTH ? high >>> by - Long.SIZE : 0;
  }

  private static long leftHigh(long high, long low, int by) {
    if (by == 0) {
      return high;
    }
    if (by < Long.SIZE) {
      return high << by | low >>> Long.SIZE - by;
    }
    return by < WIDTH ? low << by - Long.SIZE : 0;
  }

  private static long leftLow(long low, int by) {
    return by < Long.SIZE ? low << by : 0;
  }

  /** Returns whether one of the lowest bits is set. */
  private static boolean bitsBelow(long high, long low, int bits) {
    return (leftHigh(high, low, WIDTH - bits) | leftLow(low, WIDTH - bits)) != 0;
  }
}
