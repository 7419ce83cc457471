// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The conversion of x87 numbers against exact arithmetic. */
@Tag("long")
class LongDoublesTest {
  private static final ValueLayout.OfLong BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  private final MemorySegment x87 = Arena.ofAuto().allocate(16);
  private final MemorySegment quad = Arena.ofAuto().allocate(16);

  private void setX87(int signAndExponent, long significand) {
    x87.set(ValueLayout.JAVA_LONG, 0, significand);
    x87.set(ValueLayout.JAVA_LONG, 8, 0x5555_5555_5555_0000L | signAndExponent);
  }

  private void setQuad(long high, long low) {
    quad.set(BIG, 0, high);
    quad.set(BIG, 8, low);
  }

  private void assertQuad(long high, long low) {
    LongDoubles.toExternal(Raw.address(x87), Raw.address(quad));
    assertEquals(
        Long.toHexString(high) + " " + Long.toHexString(low),
        Long.toHexString(quad.get(BIG, 0)) + " " + Long.toHexString(quad.get(BIG, 8)));
  }

  private void assertX87(int signAndExponent, long significand) {
    LongDoubles.toNative(Raw.address(quad), Raw.address(x87));
    assertEquals(
        Integer.toHexString(signAndExponent) + " " + Long.toHexString(significand),
        Long.toHexString(x87.get(ValueLayout.JAVA_LONG, 8)) + " "
            + Long.toHexString(x87.get(ValueLayout.JAVA_LONG, 0)));
  }

  private static BigDecimal scaled(BigInteger significand, int exponent) {
    BigDecimal value = new BigDecimal(significand);
    return exponent >= 0 ? value.multiply(TWO.pow(exponent)) : value.divide(TWO.pow(-exponent));
  }

  private BigDecimal x87Value() {
    int exponent = x87.get(ValueLayout.JAVA_SHORT, 8) & 0x7fff;
    BigInteger significand = new BigInteger(Long.toUnsignedString(x87.get(ValueLayout.JAVA_LONG, 0)));
    return scaled(significand, Math.max(1, exponent) - 16383 - 63);
  }

  private BigDecimal quadValue() {
    long high = quad.get(BIG, 0);
    int exponent = (int) (high >>> 48) & 0x7fff;
    BigInteger fraction = BigInteger.valueOf(high & 0xffff_ffff_ffffL).shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(quad.get(BIG, 8))));
    BigInteger significand = exponent == 0 ? fraction : fraction.setBit(112);
    return scaled(significand, Math.max(1, exponent) - 16383 - 112);
  }

  @Test
  void specialValues() {
    setX87(0x3fff, Long.MIN_VALUE);
    assertQuad(0x3fff_0000_0000_0000L, 0); // 1
    setX87(0xc000, 0xa000_0000_0000_0000L);
    assertQuad(0xc000_4000_0000_0000L, 0); // -2.5
    setX87(0x8000, 0);
    assertQuad(0x8000_0000_0000_0000L, 0); // -0
    setX87(0x7fff, Long.MIN_VALUE);
    assertQuad(0x7fff_0000_0000_0000L, 0); // infinity
    setX87(0xffff, 0xc000_0000_0000_0001L);
    assertQuad(0xffff_8000_0000_0000L, 1L << 49); // NaN with its payload
    setX87(0, Long.MIN_VALUE);
    assertQuad(0x0001_0000_0000_0000L, 0); // a pseudo-denormal is a normal number
    setX87(0x3fff, 1);
    assertQuad(0x7fff_8000_0000_0000L, 0); // encodings that the processor refuses are NaN
    setX87(0x7fff, 0);
    assertQuad(0x7fff_8000_0000_0000L, 0);
  }

  @Test
  void numbersAreExactAndComeBack() {
    Seed.repeat(50, random -> {
      for (int i = 0; i < 20; i++) {
        int exponent = random.nextInt(4) == 0 ? 0 : random.nextInt(1, 0x7fff);
        long significand = exponent == 0 ? random.nextLong() >>> 1 : random.nextLong() | Long.MIN_VALUE;
        int sign = random.nextBoolean() ? 0x8000 : 0;
        setX87(sign | exponent, significand);
        LongDoubles.toExternal(Raw.address(x87), Raw.address(quad));
        assertEquals(0, x87Value().compareTo(quadValue()));
        assertX87(sign | exponent, significand);
      }
    });
  }

  @Test
  void theWayBackRoundsToNearest() {
    Seed.repeat(50, random -> {
      for (int i = 0; i < 20; i++) {
        long high = random.nextLong() & 0xffff_ffff_ffffL | (long) random.nextInt(0x7ffe) << 48;
        long low = random.nextInt(4) == 0
            ? random.nextLong() << 49 | 1L << 48 // half way
            : random.nextLong();
        setQuad(high, low);
        LongDoubles.toNative(Raw.address(quad), Raw.address(x87));
        BigDecimal error = x87Value().subtract(quadValue()).abs();
        int exponent = x87.get(ValueLayout.JAVA_SHORT, 8) & 0x7fff;
        BigDecimal halfStep = scaled(BigInteger.ONE, Math.max(1, (int) (high >>> 48)) - 16383 - 64);
        assertTrue(error.compareTo(halfStep) <= 0, () -> "exponent " + exponent);
        if (error.compareTo(halfStep) == 0) {
          assertEquals(0, x87.get(ValueLayout.JAVA_LONG, 0) & 1, "ties go to even");
        }
      }
    });
  }

  @Test
  void roundingCarries() {
    setQuad(0x3fff_ffff_ffff_ffffL, -1L);
    assertX87(0x4000, Long.MIN_VALUE); // up to the next power of two
    setQuad(0x7ffe_ffff_ffff_ffffL, -1L);
    assertX87(0x7fff, Long.MIN_VALUE); // up to infinity
    setQuad(0x0000_ffff_ffff_ffffL, -1L);
    assertX87(1, Long.MIN_VALUE); // up to the smallest normal number
    setQuad(0x7fff_0000_0000_0000L, 1);
    assertX87(0x7fff, 0xc000_0000_0000_0000L); // a NaN stays one
    setQuad(0xffff_0000_0000_0000L, 0);
    assertX87(0xffff, Long.MIN_VALUE);
  }
}
