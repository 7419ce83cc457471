// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whole numbers as C's {@code long double} of this machine and as quadruple precision, for tests. */
public final class WideNumbers {
  private static final boolean X87 = System.getProperty("os.arch").matches("amd64|x86_64");
  private static final int BIAS = 16383;

  private WideNumbers() {}

  /** Writes a {@code long double}, its padding 0. */
  public static void putLongDouble(MemorySegment memory, long at, long value) {
    if (!X87) {
      putQuadruple(memory, at, value);
      return;
    }
    long magnitude = Math.abs(value);
    int zeros = Long.numberOfLeadingZeros(magnitude);
    long exponent = value == 0 ? 0 : BIAS + 63 - zeros;
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, magnitude << zeros);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 8, exponent | (value < 0 ? 0x8000 : 0));
  }

  /** Writes a number of quadruple precision. */
  public static void putQuadruple(MemorySegment memory, long at, long value) {
    long magnitude = Math.abs(value);
    int zeros = Long.numberOfLeadingZeros(magnitude);
    long exponent = value == 0 ? 0 : BIAS + 63 - zeros;
    long fraction = value == 0 ? 0 : magnitude << zeros << 1; // without the leading 1
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, fraction << 48);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 8,
        (value < 0 ? Long.MIN_VALUE : 0) | exponent << 48 | fraction >>> 16);
  }
}
