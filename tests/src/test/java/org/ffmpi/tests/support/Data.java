// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that identify the message they belong to, so that a lost, doubled or misplaced piece is seen. */
public final class Data {
  /** Message lengths round every limit of the protocols, in bytes, with the default settings and the tiny ones. */
  public static final int[] LENGTHS = {
    0, 1, 7, 8, 31, 32, 33, 39, 40, 41, 63, 64, 65, 100, 128, 199, 200, 201, 255, 256, 257, 1_000, 1_024, 4_095, 4_096,
    4_097, 8_191, 8_192, 8_193, 16_383, 16_384, 16_385, 65_536, 65_537, 100_000
  };

  /** Lengths that only matter with the default settings, and would take long through tiny pipes. */
  public static final int[] GREAT_LENGTHS = {262_143, 262_144, 262_145, 524_288, 1_048_577, 5_000_001};

  private Data() {}

  /** The byte at a place of a message. */
  public static byte at(long message, long index) {
    long h = (message + 1) * 0x9E37_79B9_7F4A_7C15L + index * 0xC2B2_AE3D_27D4_EB4FL;
    return (byte) (h >>> 40);
  }

  public static byte[] bytes(long message, int length) {
    byte[] b = new byte[length];
    for (int i = 0; i < length; i++) {
      b[i] = at(message, i);
    }
    return b;
  }

  public static void fill(MemorySegment segment, long message) {
    for (long i = 0; i < segment.byteSize(); i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, at(message, i));
    }
  }

  public static void check(byte[] actual, int offset, long message, int length) {
    for (int i = 0; i < length; i++) {
      if (actual[offset + i] != at(message, i)) {
        fail("message " + message + ", byte " + i + " of " + length + ": " + actual[offset + i] + " instead of "
            + at(message, i));
      }
    }
  }

  public static void check(MemorySegment actual, long message, long length) {
    for (long i = 0; i < length; i++) {
      byte b = actual.get(ValueLayout.JAVA_BYTE, i);
      if (b != at(message, i)) {
        fail("message " + message + ", byte " + i + " of " + length + ": " + b + " instead of " + at(message, i));
      }
    }
  }
}
