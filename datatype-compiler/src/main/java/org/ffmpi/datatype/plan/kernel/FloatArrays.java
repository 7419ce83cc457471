// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Raw;

/**
 * Accessors of kernels to a {@code float[]}, by elements, through a cursor that is an index. Bytes that are not whole
 * elements are accessed by words, through a segment. The classes for arrays of other types are derived from this one.
 */
final class FloatArrays {
  /** Bytes of an element. */
  static final int WIDTH = Float.BYTES;

  private static final int SHIFT = Integer.numberOfTrailingZeros(WIDTH);

  private FloatArrays() {}

  /** Returns the array as its type. */
  static float[] of(Object array) {
    return (float[]) array;
  }

  /** Returns the cursor of an offset in bytes, or the step of a stride. */
  static int at(long bytes) {
    return (int) (bytes >> SHIFT);
  }

  /** Returns whether offsets and lengths, joined by or, are multiples of the elements' size. */
  static boolean isWhole(long bits) {
    return (bits & (WIDTH - 1)) == 0;
  }

  // ---- elements

  static float get(float[] a, int at) {
    return a[at];
  }

  static float get(float[] a, int at, int k) {
    return a[at + k];
  }

  static void put(float[] a, int at, float value) {
    a[at] = value;
  }

  static void put(float[] a, int at, int k, float value) {
    a[at + k] = value;
  }

  // ---- at most 64 bytes that are no whole elements, by words that overlap to fit; each method makes its segment
  // ---- itself, so that its class is known regardless of segments in other code

  /** Copies bytes to native memory. */
  static void wordsToNative(float[] a, long src, long dst, long bytes) {
    MemorySegment m = MemorySegment.ofArray(a);
    if (bytes >= 8) {
      for (long i = 0; i < bytes - 8; i += 8) {
        Raw.putLong(dst + i, m.get(ValueLayout.JAVA_LONG_UNALIGNED, src + i));
      }
      Raw.putLong(dst + bytes - 8, m.get(ValueLayout.JAVA_LONG_UNALIGNED, src + bytes - 8));
    } else if (bytes >= 4) {
      Raw.putInt(dst, m.get(ValueLayout.JAVA_INT_UNALIGNED, src));
      Raw.putInt(dst + bytes - 4, m.get(ValueLayout.JAVA_INT_UNALIGNED, src + bytes - 4));
    } else if (bytes >= 2) {
      Raw.putShort(dst, m.get(ValueLayout.JAVA_SHORT_UNALIGNED, src));
      Raw.putShort(dst + bytes - 2, m.get(ValueLayout.JAVA_SHORT_UNALIGNED, src + bytes - 2));
    } else if (bytes == 1) {
      Raw.putByte(dst, m.get(ValueLayout.JAVA_BYTE, src));
    }
  }

  /** Copies bytes from native memory. */
  static void wordsFromNative(float[] a, long src, long dst, long bytes) {
    MemorySegment m = MemorySegment.ofArray(a);
    if (bytes >= 8) {
      for (long i = 0; i < bytes - 8; i += 8) {
        m.set(ValueLayout.JAVA_LONG_UNALIGNED, dst + i, Raw.getLong(src + i));
      }
      m.set(ValueLayout.JAVA_LONG_UNALIGNED, dst + bytes - 8, Raw.getLong(src + bytes - 8));
    } else if (bytes >= 4) {
      m.set(ValueLayout.JAVA_INT_UNALIGNED, dst, Raw.getInt(src));
      m.set(ValueLayout.JAVA_INT_UNALIGNED, dst + bytes - 4, Raw.getInt(src + bytes - 4));
    } else if (bytes >= 2) {
      m.set(ValueLayout.JAVA_SHORT_UNALIGNED, dst, Raw.getShort(src));
      m.set(ValueLayout.JAVA_SHORT_UNALIGNED, dst + bytes - 2, Raw.getShort(src + bytes - 2));
    } else if (bytes == 1) {
      m.set(ValueLayout.JAVA_BYTE, dst, Raw.getByte(src));
    }
  }
}
