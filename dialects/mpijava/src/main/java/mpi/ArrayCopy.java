// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies memory into arrays of a base type and back. */
final class ArrayCopy {
  private ArrayCopy() {}

  /** Returns an array of what is in a segment. */
  static Object of(int base, MemorySegment segment) {
    return switch (base) {
      case TypeCodes.CHAR -> segment.toArray(ValueLayout.JAVA_CHAR);
      case TypeCodes.SHORT -> segment.toArray(ValueLayout.JAVA_SHORT);
      case TypeCodes.INT -> segment.toArray(ValueLayout.JAVA_INT);
      case TypeCodes.LONG -> segment.toArray(ValueLayout.JAVA_LONG);
      case TypeCodes.FLOAT -> segment.toArray(ValueLayout.JAVA_FLOAT);
      case TypeCodes.DOUBLE -> segment.toArray(ValueLayout.JAVA_DOUBLE);
      case TypeCodes.BOOLEAN -> truths(segment);
      default -> segment.toArray(ValueLayout.JAVA_BYTE);
    };
  }

  private static boolean[] truths(MemorySegment segment) {
    boolean[] array = new boolean[(int) segment.byteSize()];
    for (int i = 0; i < array.length; i++) {
      array[i] = segment.get(ValueLayout.JAVA_BYTE, i) != 0;
    }
    return array;
  }

  /** Writes an array, as {@link #of} has returned it, to a segment. */
  static void into(int base, Object array, MemorySegment segment) {
    switch (base) {
      case TypeCodes.CHAR -> segment.copyFrom(MemorySegment.ofArray((char[]) array));
      case TypeCodes.SHORT -> segment.copyFrom(MemorySegment.ofArray((short[]) array));
      case TypeCodes.INT -> segment.copyFrom(MemorySegment.ofArray((int[]) array));
      case TypeCodes.LONG -> segment.copyFrom(MemorySegment.ofArray((long[]) array));
      case TypeCodes.FLOAT -> segment.copyFrom(MemorySegment.ofArray((float[]) array));
      case TypeCodes.DOUBLE -> segment.copyFrom(MemorySegment.ofArray((double[]) array));
      case TypeCodes.BOOLEAN -> {
        boolean[] truths = (boolean[]) array;
        for (int i = 0; i < truths.length; i++) {
          segment.set(ValueLayout.JAVA_BYTE, i, truths[i] ? (byte) 1 : 0);
        }
      }
      default -> segment.copyFrom(MemorySegment.ofArray((byte[]) array));
    }
  }
}
