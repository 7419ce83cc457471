// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

/**
 * Loops over blocks at equal distances from a {@code float[]} to native memory, by elements; blocks that are not whole
 * elements are copied one by one. The classes for the way back and for arrays of other types are derived from this one.
 */
final class FloatsToNativeBlocks {
  private static final int WIDTH = FloatArrays.WIDTH;

  /** Longer blocks are left to the JDK's bulk copy. */
  private static final long LONGEST = 256;

  private FloatsToNativeBlocks() {}

  /** Copies a block of at most 64 bytes. */
  static void small(float[] a, long src, long dst, long bytes) {
    if (FloatArrays.isWhole(src | bytes) && NativeFloats.isWhole(dst | bytes)) {
      smallElements(a, src, dst, (int) bytes / WIDTH);
    } else {
      FloatArrays.wordsToNative(a, src, dst, bytes);
    }
  }

  private static void smallElements(float[] a, long src, long dst, int n) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    if (n >= 4) {
      for (int k = 0; k < n - 4; k += 4) {
        float x0 = FloatArrays.get(a, s, k);
        float x1 = FloatArrays.get(a, s, k + 1);
        float x2 = FloatArrays.get(a, s, k + 2);
        float x3 = FloatArrays.get(a, s, k + 3);
        NativeFloats.put(a, d, k, x0);
        NativeFloats.put(a, d, k + 1, x1);
        NativeFloats.put(a, d, k + 2, x2);
        NativeFloats.put(a, d, k + 3, x3);
      }
      float x0 = FloatArrays.get(a, s, n - 4);
      float x1 = FloatArrays.get(a, s, n - 3);
      float x2 = FloatArrays.get(a, s, n - 2);
      float x3 = FloatArrays.get(a, s, n - 1);
      NativeFloats.put(a, d, n - 4, x0);
      NativeFloats.put(a, d, n - 3, x1);
      NativeFloats.put(a, d, n - 2, x2);
      NativeFloats.put(a, d, n - 1, x3);
    } else if (n >= 2) {
      float x0 = FloatArrays.get(a, s, 0);
      float x1 = FloatArrays.get(a, s, 1);
      float x2 = FloatArrays.get(a, s, n - 1);
      NativeFloats.put(a, d, 0, x0);
      NativeFloats.put(a, d, 1, x1);
      NativeFloats.put(a, d, n - 1, x2);
    } else if (n == 1) {
      NativeFloats.put(a, d, FloatArrays.get(a, s));
    }
  }

  static void chunk(float[] a, long src, long srcStride, long dst, long dstStride, int count, long block) {
    if (!(FloatArrays.isWhole(src | srcStride | block) && NativeFloats.isWhole(dst | dstStride | block))
        || block > LONGEST) {
      FloatsToNative.each(a, src, srcStride, dst, dstStride, count, block);
      return;
    }
    int n = (int) block / WIDTH;
    if (n == 1 && srcStride == block && dstStride == 2 * block) {
      spread(a, src, dst, count);
    } else if (n == 1) {
      ones(a, src, srcStride, dst, dstStride, count);
    } else if (n == 2) {
      twos(a, src, srcStride, dst, dstStride, count);
    } else if (n == 3) {
      threes(a, src, srcStride, dst, dstStride, count);
    } else {
      fours(a, src, srcStride, dst, dstStride, count, n);
    }
  }

  private static void ones(float[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    var srcStep = FloatArrays.at(srcStride);
    var dstStep = NativeFloats.at(dstStride);
    int i = 0;
    for (int end = count - 3; i < end; i += 4) {
      NativeFloats.put(a, d, FloatArrays.get(a, s));
      NativeFloats.put(a, d + dstStep, FloatArrays.get(a, s + srcStep));
      NativeFloats.put(a, d + 2 * dstStep, FloatArrays.get(a, s + 2 * srcStep));
      NativeFloats.put(a, d + 3 * dstStep, FloatArrays.get(a, s + 3 * srcStep));
      s += 4 * srcStep;
      d += 4 * dstStep;
    }
    for (; i < count; i++) {
      NativeFloats.put(a, d, FloatArrays.get(a, s));
      s += srcStep;
      d += dstStep;
    }
  }

  /** Copies to every second place; constant distances compile to the fastest code. */
  private static void spread(float[] a, long src, long dst, int count) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    int i = 0;
    for (int end = count - 7; i < end; i += 8) {
      NativeFloats.put(a, d, 0, FloatArrays.get(a, s, 0));
      NativeFloats.put(a, d, 2, FloatArrays.get(a, s, 1));
      NativeFloats.put(a, d, 4, FloatArrays.get(a, s, 2));
      NativeFloats.put(a, d, 6, FloatArrays.get(a, s, 3));
      NativeFloats.put(a, d, 8, FloatArrays.get(a, s, 4));
      NativeFloats.put(a, d, 10, FloatArrays.get(a, s, 5));
      NativeFloats.put(a, d, 12, FloatArrays.get(a, s, 6));
      NativeFloats.put(a, d, 14, FloatArrays.get(a, s, 7));
      s += FloatArrays.at(8 * WIDTH);
      d += NativeFloats.at(16 * WIDTH);
    }
    for (; i < count; i++) {
      NativeFloats.put(a, d, FloatArrays.get(a, s));
      s += FloatArrays.at(WIDTH);
      d += NativeFloats.at(2 * WIDTH);
    }
  }

  private static void twos(float[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    var srcStep = FloatArrays.at(srcStride);
    var dstStep = NativeFloats.at(dstStride);
    for (int i = 0; i < count; i++) {
      float x0 = FloatArrays.get(a, s, 0);
      float x1 = FloatArrays.get(a, s, 1);
      NativeFloats.put(a, d, 0, x0);
      NativeFloats.put(a, d, 1, x1);
      s += srcStep;
      d += dstStep;
    }
  }

  private static void threes(float[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    var srcStep = FloatArrays.at(srcStride);
    var dstStep = NativeFloats.at(dstStride);
    for (int i = 0; i < count; i++) {
      float x0 = FloatArrays.get(a, s, 0);
      float x1 = FloatArrays.get(a, s, 1);
      float x2 = FloatArrays.get(a, s, 2);
      NativeFloats.put(a, d, 0, x0);
      NativeFloats.put(a, d, 1, x1);
      NativeFloats.put(a, d, 2, x2);
      s += srcStep;
      d += dstStep;
    }
  }

  /** Copies four elements or more; the last four overlap those before. */
  private static void fours(float[] a, long src, long srcStride, long dst, long dstStride, int count, int n) {
    var s = FloatArrays.at(src);
    var d = NativeFloats.at(dst);
    var srcStep = FloatArrays.at(srcStride);
    var dstStep = NativeFloats.at(dstStride);
    int last = n - 4;
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < last; k += 4) {
        float x0 = FloatArrays.get(a, s, k);
        float x1 = FloatArrays.get(a, s, k + 1);
        float x2 = FloatArrays.get(a, s, k + 2);
        float x3 = FloatArrays.get(a, s, k + 3);
        NativeFloats.put(a, d, k, x0);
        NativeFloats.put(a, d, k + 1, x1);
        NativeFloats.put(a, d, k + 2, x2);
        NativeFloats.put(a, d, k + 3, x3);
      }
      float x0 = FloatArrays.get(a, s, last);
      float x1 = FloatArrays.get(a, s, last + 1);
      float x2 = FloatArrays.get(a, s, last + 2);
      float x3 = FloatArrays.get(a, s, last + 3);
      NativeFloats.put(a, d, last, x0);
      NativeFloats.put(a, d, last + 1, x1);
      NativeFloats.put(a, d, last + 2, x2);
      NativeFloats.put(a, d, last + 3, x3);
      s += srcStep;
      d += dstStep;
    }
  }
}
