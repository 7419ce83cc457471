// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The store loops of the dirty cases, the same as {@code refresh} in {@code bench.h}: every byte is written with plain
 * stores, a word at a time. One loop per kind of memory, so that none is slowed down by the kinds the others have seen.
 */
final class Refresh {
  private static long generation = 1;

  private Refresh() {}

  /** Writes part of a native segment. */
  static void segment(MemorySegment segment, long offset, long bytes) {
    long value = ++generation;
    long end = offset + (bytes & -8);
    long i = offset;
    for (; i < end; i += 8) {
      segment.set(ValueLayout.JAVA_LONG, i, value);
    }
    for (; i < offset + bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) value);
    }
  }

  /** Writes a whole array. */
  static void doubles(double[] array) {
    double value = ++generation;
    for (int i = 0; i < array.length; i++) {
      array[i] = value;
    }
  }

  /** Writes a whole array. */
  static void bytes(byte[] array) {
    byte value = (byte) ++generation;
    for (int i = 0; i < array.length; i++) {
      array[i] = value;
    }
  }
}
