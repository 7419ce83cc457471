// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

/**
 * Loops over blocks at equal distances from a {@code byte[]} to native memory, by words of any size at any byte. The
 * classes for the way back and for native memory on both sides are derived from this one.
 */
final class BytesToNativeBlocks {
  /** Longer blocks are left to the JDK's bulk copy. */
  private static final long LONGEST = 256;

  private BytesToNativeBlocks() {}

  /** Copies a block of at most 64 bytes. Words at both ends overlap to fit any size. */
  static void small(byte[] a, long src, long dst, long bytes) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int n = (int) bytes;
    if (n >= 8) {
      for (int i = 0; i < n - 8; i += 8) {
        NativeBytes.putLong(a, d + i, ByteArrays.getLong(a, s + i));
      }
      NativeBytes.putLong(a, d + n - 8, ByteArrays.getLong(a, s + n - 8));
    } else if (n >= 4) {
      NativeBytes.putInt(a, d, ByteArrays.getInt(a, s));
      NativeBytes.putInt(a, d + n - 4, ByteArrays.getInt(a, s + n - 4));
    } else if (n >= 2) {
      NativeBytes.putShort(a, d, ByteArrays.getShort(a, s));
      NativeBytes.putShort(a, d + n - 2, ByteArrays.getShort(a, s + n - 2));
    } else if (n == 1) {
      NativeBytes.putByte(a, d, ByteArrays.getByte(a, s));
    }
  }

  static void chunk(byte[] a, long src, long srcStride, long dst, long dstStride, int count, long block) {
    if (block == 8 && srcStride == 8 && dstStride == 16) {
      spread(a, src, dst, count);
    } else if (block == 8) {
      longs(a, src, srcStride, dst, dstStride, count);
    } else if (block == 4) {
      ints(a, src, srcStride, dst, dstStride, count);
    } else if (block == 2) {
      shorts(a, src, srcStride, dst, dstStride, count);
    } else if (block == 1) {
      bytes(a, src, srcStride, dst, dstStride, count);
    } else if (block < 8 || block > LONGEST) {
      BytesToNative.each(a, src, srcStride, dst, dstStride, count, block);
    } else if (block <= 16) {
      pairs(a, src, srcStride, dst, dstStride, count, block - 8);
    } else if (block <= 32) {
      quads(a, src, srcStride, dst, dstStride, count, block - 8);
    } else {
      fours(a, src, srcStride, dst, dstStride, count, (int) block - 8);
    }
  }

  // ---- blocks of one word

  /** Copies to every second place; constant distances compile to the fastest code. */
  private static void spread(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int i = 0;
    for (int end = count - 7; i < end; i += 8) {
      NativeBytes.putLong(a, d, ByteArrays.getLong(a, s));
      NativeBytes.putLong(a, d + 16, ByteArrays.getLong(a, s + 8));
      NativeBytes.putLong(a, d + 32, ByteArrays.getLong(a, s + 16));
      NativeBytes.putLong(a, d + 48, ByteArrays.getLong(a, s + 24));
      NativeBytes.putLong(a, d + 64, ByteArrays.getLong(a, s + 32));
      NativeBytes.putLong(a, d + 80, ByteArrays.getLong(a, s + 40));
      NativeBytes.putLong(a, d + 96, ByteArrays.getLong(a, s + 48));
      NativeBytes.putLong(a, d + 112, ByteArrays.getLong(a, s + 56));
      s += 64;
      d += 128;
    }
    for (; i < count; i++) {
      NativeBytes.putLong(a, d, ByteArrays.getLong(a, s));
      s += 8;
      d += 16;
    }
  }

  private static void longs(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    int i = 0;
    for (int end = count - 3; i < end; i += 4) {
      NativeBytes.putLong(a, d, ByteArrays.getLong(a, s));
      NativeBytes.putLong(a, d + dstStep, ByteArrays.getLong(a, s + srcStep));
      NativeBytes.putLong(a, d + 2 * dstStep, ByteArrays.getLong(a, s + 2 * srcStep));
      NativeBytes.putLong(a, d + 3 * dstStep, ByteArrays.getLong(a, s + 3 * srcStep));
      s += 4 * srcStep;
      d += 4 * dstStep;
    }
    for (; i < count; i++) {
      NativeBytes.putLong(a, d, ByteArrays.getLong(a, s));
      s += srcStep;
      d += dstStep;
    }
  }

  private static void ints(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    int i = 0;
    for (int end = count - 3; i < end; i += 4) {
      NativeBytes.putInt(a, d, ByteArrays.getInt(a, s));
      NativeBytes.putInt(a, d + dstStep, ByteArrays.getInt(a, s + srcStep));
      NativeBytes.putInt(a, d + 2 * dstStep, ByteArrays.getInt(a, s + 2 * srcStep));
      NativeBytes.putInt(a, d + 3 * dstStep, ByteArrays.getInt(a, s + 3 * srcStep));
      s += 4 * srcStep;
      d += 4 * dstStep;
    }
    for (; i < count; i++) {
      NativeBytes.putInt(a, d, ByteArrays.getInt(a, s));
      s += srcStep;
      d += dstStep;
    }
  }

  private static void shorts(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    int i = 0;
    for (int end = count - 3; i < end; i += 4) {
      NativeBytes.putShort(a, d, ByteArrays.getShort(a, s));
      NativeBytes.putShort(a, d + dstStep, ByteArrays.getShort(a, s + srcStep));
      NativeBytes.putShort(a, d + 2 * dstStep, ByteArrays.getShort(a, s + 2 * srcStep));
      NativeBytes.putShort(a, d + 3 * dstStep, ByteArrays.getShort(a, s + 3 * srcStep));
      s += 4 * srcStep;
      d += 4 * dstStep;
    }
    for (; i < count; i++) {
      NativeBytes.putShort(a, d, ByteArrays.getShort(a, s));
      s += srcStep;
      d += dstStep;
    }
  }

  private static void bytes(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    int i = 0;
    for (int end = count - 3; i < end; i += 4) {
      NativeBytes.putByte(a, d, ByteArrays.getByte(a, s));
      NativeBytes.putByte(a, d + dstStep, ByteArrays.getByte(a, s + srcStep));
      NativeBytes.putByte(a, d + 2 * dstStep, ByteArrays.getByte(a, s + 2 * srcStep));
      NativeBytes.putByte(a, d + 3 * dstStep, ByteArrays.getByte(a, s + 3 * srcStep));
      s += 4 * srcStep;
      d += 4 * dstStep;
    }
    for (; i < count; i++) {
      NativeBytes.putByte(a, d, ByteArrays.getByte(a, s));
      s += srcStep;
      d += dstStep;
    }
  }

  // ---- longer blocks

  /** Copies blocks of 9 to 16 bytes by two words, which overlap to fit. */
  private static void pairs(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, long last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    var srcLast = ByteArrays.at(last);
    var dstLast = NativeBytes.at(last);
    for (int i = 0; i < count; i++) {
      long w0 = ByteArrays.getLong(a, s);
      long w1 = ByteArrays.getLong(a, s + srcLast);
      NativeBytes.putLong(a, d, w0);
      NativeBytes.putLong(a, d + dstLast, w1);
      s += srcStep;
      d += dstStep;
    }
  }

  /** Copies blocks of 17 to 32 bytes by four words, two from either end. */
  private static void quads(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, long last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    var srcLast = ByteArrays.at(last);
    var dstLast = NativeBytes.at(last);
    for (int i = 0; i < count; i++) {
      long w0 = ByteArrays.getLong(a, s);
      long w1 = ByteArrays.getLong(a, s + 8);
      long w2 = ByteArrays.getLong(a, s + srcLast - 8);
      long w3 = ByteArrays.getLong(a, s + srcLast);
      NativeBytes.putLong(a, d, w0);
      NativeBytes.putLong(a, d + 8, w1);
      NativeBytes.putLong(a, d + dstLast - 8, w2);
      NativeBytes.putLong(a, d + dstLast, w3);
      s += srcStep;
      d += dstStep;
    }
  }

  /** Copies words in fours; the last four overlap those before. */
  private static void fours(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, int last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < last - 24; k += 32) {
        long w0 = ByteArrays.getLong(a, s + k);
        long w1 = ByteArrays.getLong(a, s + k + 8);
        long w2 = ByteArrays.getLong(a, s + k + 16);
        long w3 = ByteArrays.getLong(a, s + k + 24);
        NativeBytes.putLong(a, d + k, w0);
        NativeBytes.putLong(a, d + k + 8, w1);
        NativeBytes.putLong(a, d + k + 16, w2);
        NativeBytes.putLong(a, d + k + 24, w3);
      }
      long w0 = ByteArrays.getLong(a, s + last - 24);
      long w1 = ByteArrays.getLong(a, s + last - 16);
      long w2 = ByteArrays.getLong(a, s + last - 8);
      long w3 = ByteArrays.getLong(a, s + last);
      NativeBytes.putLong(a, d + last - 24, w0);
      NativeBytes.putLong(a, d + last - 16, w1);
      NativeBytes.putLong(a, d + last - 8, w2);
      NativeBytes.putLong(a, d + last, w3);
      s += srcStep;
      d += dstStep;
    }
  }
}
