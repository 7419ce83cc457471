// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

/**
 * Hashes of sequences as polynomials over the field of the prime 2^61 - 1, the first code with the highest power. The
 * hash of a sequence follows from the hashes of its pieces, so that a billion copies cost thirty steps.
 */
final class Polynomial {
  private static final long PRIME = (1L << 61) - 1;

  /** The point of evaluation: any large number, the same in every process. */
  private static final long BASE = 0x0b9e_3779_b97f_4a7cL % PRIME;

  private Polynomial() {}

  /** Returns the hash of a sequence of one code, which must be positive and less than the prime. */
  static long of(long code) {
    // Codes are small neighbours; spread them, or short sequences would have hashes that differ in few bits.
    return multiply(code, 0x1d8e_4e27_c47d_124fL);
  }

  /** Returns the hash of two sequences after each other; {@code length} is that of the second. */
  static long concat(long first, long second, long length) {
    return add(multiply(first, power(BASE, length)), second);
  }

  /** Returns the hash of {@code count} copies of a sequence after each other. */
  static long repeat(long hash, long length, long count) {
    long result = 0;
    long block = hash; // of 2^i copies
    long shift = power(BASE, length); // BASE to the length of the block
    for (long rest = count; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        result = add(multiply(result, shift), block);
      }
      block = add(multiply(block, shift), block);
      shift = multiply(shift, shift);
    }
    return result;
  }

  private static long power(long base, long exponent) {
    long result = 1;
    long square = base;
    for (long rest = exponent; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        result = multiply(result, square);
      }
      square = multiply(square, square);
    }
    return result;
  }

  private static long add(long a, long b) {
    long sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
  }

  private static long multiply(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    // 2^61 is 1 in this field: the product's upper and lower 61 bits add up.
    return add(low & PRIME, (high << 3) | (low >>> 61));
  }
}
