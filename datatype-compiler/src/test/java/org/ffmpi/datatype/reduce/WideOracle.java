// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.basic.LongDoubleForm;

/**
 * The floating-point formats of 16 bytes with numbers as integers times powers of two. Results are computed exactly and
 * then rounded to nearest, ties to even. All NaNs are one.
 */
enum WideOracle {
  X87(64),
  QUADRUPLE(113);

  private static final int LARGEST_EXPONENT = 16383;
  private static final int SPECIAL = 0x7fff;
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

  private final int precision;
  /** Exponent of the unit in the last place of the smallest numbers. */
  private final int smallest;

  WideOracle(int precision) {
    this.precision = precision;
    this.smallest = 1 - LARGEST_EXPONENT - (precision - 1);
  }

  static WideOracle of(Element element) {
    return switch (element) {
      case LONG_DOUBLE, COMPLEX_LONG_DOUBLE, LONG_DOUBLE_INT32 -> LongDoubleForm.IS_QUADRUPLE ? QUADRUPLE : X87;
      case FLOAT128, COMPLEX_FLOAT128 -> QUADRUPLE;
      default -> throw new AssertionError(element);
    };
  }

  enum Kind { FINITE, INFINITE, NAN }

  /** A number: for finite ones {@code units * 2^exponent}. */
  record Value(Kind kind, boolean negative, BigInteger units, int exponent) {
    static final Value NAN = new Value(Kind.NAN, false, BigInteger.ZERO, 0);

    static Value infinite(boolean negative) {
      return new Value(Kind.INFINITE, negative, BigInteger.ZERO, 0);
    }

    boolean isNaN() {
      return kind == Kind.NAN;
    }

    boolean isZero() {
      return kind == Kind.FINITE && units.signum() == 0;
    }

    private BigInteger signedAt(int unit) {
      BigInteger n = units.shiftLeft(exponent - unit);
      return negative ? n.negate() : n;
    }

    Value negate() {
      return new Value(kind, !negative, units, exponent);
    }
  }

  private static BigInteger unsigned(long word) {
    return word >= 0 ? BigInteger.valueOf(word) : BigInteger.valueOf(word).add(WORD);
  }

  Value read(ByteBuffer buffer, int at) {
    BigInteger low = unsigned(buffer.getLong(at));
    long high = buffer.getLong(at + 8);
    if (this == X87) {
      int stored = (int) high & SPECIAL;
      boolean negative = (high & 0x8000) != 0;
      boolean leads = low.testBit(63);
      if (stored != 0 && !leads) {
        return Value.NAN;
      }
      if (stored == SPECIAL) {
        return low.equals(BigInteger.ONE.shiftLeft(63)) ? Value.infinite(negative) : Value.NAN;
      }
      return new Value(Kind.FINITE, negative, low, Math.max(1, stored) - LARGEST_EXPONENT - 63);
    }
    int stored = (int) (high >>> 48) & SPECIAL;
    BigInteger fraction = BigInteger.valueOf(high & 0xffff_ffff_ffffL).shiftLeft(64).add(low);
    if (stored == SPECIAL) {
      return fraction.signum() == 0 ? Value.infinite(high < 0) : Value.NAN;
    }
    BigInteger units = stored == 0 ? fraction : fraction.setBit(112);
    return new Value(Kind.FINITE, high < 0, units, Math.max(1, stored) - LARGEST_EXPONENT - 112);
  }

  /** Writes a number that has the precision of the format; x87 padding stays. */
  void write(ByteBuffer buffer, int at, Value value) {
    int stored;
    BigInteger significand;
    switch (value.kind) {
      case NAN -> {
        stored = SPECIAL;
        significand = BigInteger.TWO.add(BigInteger.ONE).shiftLeft(precision - 2);
      }
      case INFINITE -> {
        stored = SPECIAL;
        significand = BigInteger.ONE.shiftLeft(precision - 1);
      }
      default -> {
        Value exact = round(value.negative, value.units, value.exponent);
        significand = exact.units;
        boolean normal = significand.bitLength() == precision;
        stored = normal ? exact.exponent + precision - 1 + LARGEST_EXPONENT : 0;
      }
    }
    long sign = value.negative ? 0x8000 : 0;
    if (this == X87) {
      buffer.putLong(at, significand.longValue());
      buffer.putShort(at + 8, (short) (sign | stored));
    } else {
      BigInteger fraction = significand.clearBit(112);
      buffer.putLong(at, fraction.longValue());
      buffer.putLong(at + 8, (sign | stored) << 48 | fraction.shiftRight(64).longValue());
    }
  }

  /** Writes a result, its padding 0. */
  void writeResult(ByteBuffer buffer, int at, Value value) {
    buffer.putLong(at + 8, 0);
    write(buffer, at, value);
  }

  private Value round(boolean negative, BigInteger units, int exponent) {
    int unit = Math.max(units.bitLength() + exponent - precision, smallest);
    BigInteger rounded;
    if (unit <= exponent) {
      rounded = units.shiftLeft(exponent - unit);
    } else {
      BigInteger[] parts = units.divideAndRemainder(BigInteger.ONE.shiftLeft(unit - exponent));
      int half = parts[1].compareTo(BigInteger.ONE.shiftLeft(unit - exponent - 1));
      boolean up = half > 0 || half == 0 && parts[0].testBit(0);
      rounded = up ? parts[0].add(BigInteger.ONE) : parts[0];
      if (rounded.bitLength() > precision) {
        rounded = rounded.shiftRight(1);
        unit++;
      }
    }
    return rounded.bitLength() + unit - 1 > LARGEST_EXPONENT
        ? Value.infinite(negative)
        : new Value(Kind.FINITE, negative, rounded, unit);
  }

  Value sum(Value a, Value b) {
    if (a.isNaN() || b.isNaN()) {
      return Value.NAN;
    }
    if (a.kind == Kind.INFINITE || b.kind == Kind.INFINITE) {
      boolean opposite = a.kind == b.kind && a.negative != b.negative;
      return opposite ? Value.NAN : a.kind == Kind.INFINITE ? a : b;
    }
    int unit = Math.min(a.exponent, b.exponent);
    BigInteger sum = a.signedAt(unit).add(b.signedAt(unit));
    boolean negative = sum.signum() < 0 || sum.signum() == 0 && a.isZero() && a.negative && b.negative;
    return round(negative, sum.abs(), unit);
  }

  Value product(Value a, Value b) {
    boolean negative = a.negative != b.negative;
    if (a.isNaN() || b.isNaN()) {
      return Value.NAN;
    }
    if (a.kind == Kind.INFINITE || b.kind == Kind.INFINITE) {
      return a.isZero() || b.isZero() ? Value.NAN : Value.infinite(negative);
    }
    return round(negative, a.units.multiply(b.units), a.exponent + b.exponent);
  }

  /** Compares numbers that are no NaNs; zeros are equal. */
  static int compare(Value a, Value b) {
    if (a.kind == Kind.INFINITE || b.kind == Kind.INFINITE) {
      int left = a.kind != Kind.INFINITE ? 0 : a.negative ? -1 : 1;
      int right = b.kind != Kind.INFINITE ? 0 : b.negative ? -1 : 1;
      return Integer.compare(left, right);
    }
    int unit = Math.min(a.exponent, b.exponent);
    return a.signedAt(unit).compareTo(b.signedAt(unit));
  }

  /** Returns the greater number (direction 1) or the smaller one (-1); a NaN wins, and -0 is less than 0. */
  static Value extreme(Value a, Value b, int direction) {
    if (a.isNaN() || b.isNaN()) {
      return Value.NAN;
    }
    int order = a.isZero() && b.isZero() ? -Boolean.compare(a.negative, b.negative) : compare(a, b);
    return order * direction > 0 ? a : b;
  }

  /** Makes all NaNs one, and all encodings of one number. */
  void canonical(ByteBuffer buffer, int at) {
    write(buffer, at, read(buffer, at));
  }

  /** Sets a number that matters: zeros, extremes, subnormal numbers, NaNs, numbers near 1, any bits. */
  void pick(RandomGenerator random, ByteBuffer buffer, int at) {
    boolean negative = random.nextBoolean();
    BigInteger units = new BigInteger(1, bytes(random, random.nextInt(1, 16)));
    switch (random.nextInt(18)) {
      case 0 -> write(buffer, at, new Value(Kind.FINITE, negative, BigInteger.ZERO, 0));
      case 1 -> write(buffer, at, Value.infinite(negative));
      case 2 -> write(buffer, at, Value.NAN);
      case 3 -> write(buffer, at, new Value(Kind.FINITE, negative, BigInteger.ONE, smallest));
      case 4 -> write(buffer, at, new Value(Kind.FINITE, negative,
          BigInteger.ONE.shiftLeft(precision).subtract(BigInteger.ONE), LARGEST_EXPONENT - precision + 1));
      case 5 -> write(buffer, at, round(negative, units, smallest - random.nextInt(10)));
      case 6, 7 -> write(buffer, at,
          new Value(Kind.FINITE, negative, BigInteger.valueOf(random.nextInt(3)), random.nextInt(2)));
      case 8, 9, 10 -> write(buffer, at, round(negative, units, -units.bitLength() + random.nextInt(-4, 4)));
      case 11, 12, 13, 14, 15 -> { // few bits set: halves, and numbers just above them
        BigInteger sparse = BigInteger.ONE.shiftLeft(precision - 1)
            .setBit(random.nextInt(precision)).setBit(random.nextInt(precision));
        write(buffer, at, new Value(Kind.FINITE, negative, sparse, -random.nextInt(2 * precision)));
      }
      case 16 -> write(buffer, at, round(negative, units, random.nextInt(-8300, -8100)));
      default -> {
        buffer.putLong(at, random.nextLong());
        buffer.putLong(at + 8, random.nextLong());
      }
    }
  }

  private static byte[] bytes(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
