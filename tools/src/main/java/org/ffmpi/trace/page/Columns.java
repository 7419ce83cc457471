// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;

/**
 * Columns of numbers, one behind the other, as the page reads them. Each number is in groups of seven bits, the lowest
 * first, the top bit of a byte set where another follows; all of it compressed as zlib has it, in base 64. Equal and
 * small numbers side by side take almost nothing.
 */
final class Columns {
  /** The level at which large traces are written four times as fast as at the best, and 7 % longer. */
  private static final int LEVEL = 4;

  private byte[] bytes = new byte[1 << 12];
  private int length;

  /** Adds a number that is not negative. */
  void add(long number) {
    if (length + 10 > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** Adds a number that may be negative: 0, -1, 1, -2, … as 0, 1, 2, 3, …. */
  void addSigned(long number) {
    add(number << 1 ^ number >> 63);
  }

  /** Adds a byte as it is. */
  void addByte(int value) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    bytes[length++] = (byte) value;
  }

  /** Returns all of it as text. */
  String text() {
    Deflater deflater = new Deflater(LEVEL);
    try {
      deflater.setInput(bytes, 0, length);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream(length / 3 + 64);
      byte[] chunk = new byte[1 << 16];
      while (!deflater.finished()) {
        packed.write(chunk, 0, deflater.deflate(chunk));
      }
      return Base64.getEncoder().encodeToString(packed.toByteArray());
    } finally {
      deflater.end();
    }
  }
}
