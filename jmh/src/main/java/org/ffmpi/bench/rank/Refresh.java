// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The store loops of the dirty cases, the same as {@code refresh} in {@code bench.h}: every byte is written with plain
 * stores, a word at a time. One loop per kind of memory, so that none is slowed down by the kinds the others have seen.
 * They are written in the form that C2 vectorizes as gcc does its own (an int counter, the length in a local); the
 * bench {@code fill} times them alone, to show how near the two come.
 */
final class Refresh {
  private static long generation = 1;

  private Refresh() {}

  /** Writes part of a segment; only ever a native one. */
  static void segment(MemorySegment segment, long offset, long bytes) {
    long value = ++generation;
    int words = (int) (bytes >> 3);
    for (int i = 0; i < words; i++) {
      segment.set(ValueLayout.JAVA_LONG, offset + 8L * i, value);
    }
    for (long i = bytes & -8; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, offset + i, (byte) value);
    }
  }

  /** Writes the beginning of a native segment with numbers: the words of {@link #segment} are denormal as doubles. */
  static void doubles(MemorySegment segment, int length) {
    double value = ++generation;
    for (int i = 0; i < length; i++) {
      segment.set(ValueLayout.JAVA_DOUBLE, 8L * i, value);
    }
  }

  /** Writes the beginning of an array. */
  static void doubles(double[] array, int length) {
    double value = ++generation;
    for (int i = 0; i < length; i++) {
      array[i] = value;
    }
  }

  /** Writes a whole array. */
  static void doubles(double[] array) {
    doubles(array, array.length);
  }

  /** Writes a whole array. */
  static void bytes(byte[] array) {
    byte value = (byte) ++generation;
    int length = array.length;
    for (int i = 0; i < length; i++) {
      array[i] = value;
    }
  }
}
