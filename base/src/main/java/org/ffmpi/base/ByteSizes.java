// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

/** Parser and printer of byte counts such as {@code 64K}, in which a letter stands for a power of 1024. */
final class ByteSizes {
  private static final String UNITS = "KMGT";

  private ByteSizes() {}

  /** Reads {@code 65536}, {@code 64K} or {@code 64k}; throws IllegalArgumentException for anything else. */
  static long parse(String text) {
    int last = text.length() - 1;
    int unit = last < 0 ? -1 : UNITS.indexOf(Character.toUpperCase(text.charAt(last)));
    if (unit < 0) {
      return Long.parseLong(text);
    }
    long number = Long.parseLong(text.substring(0, last));
    int shift = 10 * (unit + 1);
    if (number != number << shift >> shift) {
      throw new IllegalArgumentException("more than a long can hold: " + text);
    }
    return number << shift;
  }

  /** Writes the number with the largest unit that it is a multiple of. */
  static String format(long bytes) {
    int unit = -1;
    while (unit < UNITS.length() - 1 && bytes != 0 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(bytes) : bytes + UNITS.substring(unit, unit + 1);
  }
}
