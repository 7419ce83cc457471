// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.ffmpi.base.raw.Raw;

/**
 * Vector loops over blocks at equal distances from a {@code byte[]} to native memory; linked only where there are
 * vectors of 64 bytes. The classes for the way back and for other kinds of memory are derived from this one. Where
 * elements are wider than a block, the loop for such blocks is never called.
 */
final class BytesToNativeVectors {
  private static final VectorSpecies<Byte> S128 = ByteVector.SPECIES_128;
  private static final VectorSpecies<Byte> S256 = ByteVector.SPECIES_256;
  private static final VectorSpecies<Byte> S512 = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final MemorySegment MEMORY = Raw.EVERYTHING;

  /** Lanes of blocks 0, 2, 4 … */
  private static final VectorMask<Byte> EVEN_2 =
      VectorMask.fromLong(S512, VectorLanes.even(ByteArrays.WIDTH, 2));
  private static final VectorMask<Byte> EVEN_4 =
      VectorMask.fromLong(S512, VectorLanes.even(ByteArrays.WIDTH, 4));

  /** Blocks in a loop that counts with ints, which the JVM's compiler handles best. */
  private static final long CHUNK = 1 << 24;

  /** Longer rows are left to the JDK's bulk copy. */
  private static final long LONGEST = 512;

  private BytesToNativeVectors() {}

  // ---- blocks

  /** Copies blocks if there is a vector loop for them; returns false otherwise. */
  static boolean blocks(byte[] a, long src, long srcStride, long dst, long dstStride, long count, long block) {
    if (block > LONGEST) {
      return false;
    }
    if (srcStride == 2 * block && dstStride == block && everySecond(a, src, dst, count, block)) {
      return true;
    }
    if (srcStride == block && dstStride == 2 * block && toEverySecond(a, src, dst, count, block)) {
      return true;
    }
    if (block < 16) {
      return false;
    }
    for (long done = 0; done < count; done += CHUNK) {
      int n = (int) Math.min(count - done, CHUNK);
      chunk(a, src + done * srcStride, srcStride, dst + done * dstStride, dstStride, n, block);
    }
    return true;
  }

  private static void chunk(byte[] a, long src, long srcStride, long dst, long dstStride, int count, long block) {
    if (block == 64) {
      single512(a, src, srcStride, dst, dstStride, count);
    } else if (block == 32) {
      single256(a, src, srcStride, dst, dstStride, count);
    } else if (block == 16) {
      single128(a, src, srcStride, dst, dstStride, count);
    } else if (block < 32) {
      pairs128(a, src, srcStride, dst, dstStride, count, block - 16);
    } else if (block < 64) {
      pairs256(a, src, srcStride, dst, dstStride, count, block - 32);
    } else if (block <= 128) {
      pairs512(a, src, srcStride, dst, dstStride, count, block - 64);
    } else {
      for (int i = 0; i < count; i++) {
        row(a, src + i * srcStride, dst + i * dstStride, block);
      }
    }
  }

  /** Copies 64 bytes or more. */
  private static void row(byte[] a, long src, long dst, long bytes) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int vectors = (int) (bytes - 1) / 64;
    for (int i = 0; i < vectors; i++) {
      ByteVector.fromArray(S512, a, s).intoMemorySegment(MEMORY, d, ORDER);
      s += ByteArrays.at(64);
      d += NativeBytes.at(64);
    }
    long last = bytes - 64;
    var srcEnd = ByteArrays.at(src) + ByteArrays.at(last);
    var dstEnd = NativeBytes.at(dst) + NativeBytes.at(last);
    ByteVector.fromArray(S512, a, srcEnd).intoMemorySegment(MEMORY, dstEnd, ORDER);
  }

  private static void single128(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    for (int i = 0; i < count; i++) {
      ByteVector.fromArray(S128, a, s).intoMemorySegment(MEMORY, d, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  private static void single256(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    for (int i = 0; i < count; i++) {
      ByteVector.fromArray(S256, a, s).intoMemorySegment(MEMORY, d, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  private static void single512(byte[] a, long src, long srcStride, long dst, long dstStride, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    for (int i = 0; i < count; i++) {
      ByteVector.fromArray(S512, a, s).intoMemorySegment(MEMORY, d, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  // ---- blocks of one to two vectors, which overlap to fit

  private static void pairs128(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, long last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    var srcLast = ByteArrays.at(last);
    var dstLast = NativeBytes.at(last);
    for (int i = 0; i < count; i++) {
      ByteVector v0 = ByteVector.fromArray(S128, a, s);
      ByteVector v1 = ByteVector.fromArray(S128, a, s + srcLast);
      v0.intoMemorySegment(MEMORY, d, ORDER);
      v1.intoMemorySegment(MEMORY, d + dstLast, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  private static void pairs256(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, long last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    var srcLast = ByteArrays.at(last);
    var dstLast = NativeBytes.at(last);
    for (int i = 0; i < count; i++) {
      ByteVector v0 = ByteVector.fromArray(S256, a, s);
      ByteVector v1 = ByteVector.fromArray(S256, a, s + srcLast);
      v0.intoMemorySegment(MEMORY, d, ORDER);
      v1.intoMemorySegment(MEMORY, d + dstLast, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  private static void pairs512(
      byte[] a, long src, long srcStride, long dst, long dstStride, int count, long last) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    var srcStep = ByteArrays.at(srcStride);
    var dstStep = NativeBytes.at(dstStride);
    var srcLast = ByteArrays.at(last);
    var dstLast = NativeBytes.at(last);
    for (int i = 0; i < count; i++) {
      ByteVector v0 = ByteVector.fromArray(S512, a, s);
      ByteVector v1 = ByteVector.fromArray(S512, a, s + srcLast);
      v0.intoMemorySegment(MEMORY, d, ORDER);
      v1.intoMemorySegment(MEMORY, d + dstLast, ORDER);
      s += srcStep;
      d += dstStep;
    }
  }

  // ---- every second of blocks that follow one another

  private static boolean everySecond(byte[] a, long src, long dst, long count, long block) {
    if (count * block < 64 || count >= CHUNK) {
      return false;
    }
    switch ((int) block) {
      case 2 -> everySecond2(a, src, dst, (int) count);
      case 4 -> everySecond4(a, src, dst, (int) count);
      case 8 -> everySecond8(a, src, dst, (int) count);
      case 16 -> everySecond16(a, src, dst, (int) count);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void everySecond2(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 2);
    for (int i = 0; i < full; i++) {
      ShortVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsShorts();
      ShortVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64)).reinterpretAsShorts();
      ShortVector v = VectorLanes.EVEN_2.selectFrom(v0, v1);
      v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
      s += ByteArrays.at(128);
      d += NativeBytes.at(64);
    }
    // The last vectors end with the last block and overlap those before.
    long lastBlock = (long) (count - 1) * 2;
    s = ByteArrays.at(src) + 2 * ByteArrays.at(lastBlock) - ByteArrays.at(128) + 2 * ByteArrays.at(2);
    d = NativeBytes.at(dst) + NativeBytes.at(lastBlock) - NativeBytes.at(64) + NativeBytes.at(2);
    ShortVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsShorts();
    ShortVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64) - ByteArrays.at(2)).reinterpretAsShorts();
    ShortVector v = VectorLanes.EVEN_ENDING_2.selectFrom(v0, v1);
    v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
  }

  private static void everySecond4(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 4);
    for (int i = 0; i < full; i++) {
      IntVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsInts();
      IntVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64)).reinterpretAsInts();
      IntVector v = VectorLanes.EVEN_4.selectFrom(v0, v1);
      v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
      s += ByteArrays.at(128);
      d += NativeBytes.at(64);
    }
    // The last vectors end with the last block and overlap those before.
    long lastBlock = (long) (count - 1) * 4;
    s = ByteArrays.at(src) + 2 * ByteArrays.at(lastBlock) - ByteArrays.at(128) + 2 * ByteArrays.at(4);
    d = NativeBytes.at(dst) + NativeBytes.at(lastBlock) - NativeBytes.at(64) + NativeBytes.at(4);
    IntVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsInts();
    IntVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64) - ByteArrays.at(4)).reinterpretAsInts();
    IntVector v = VectorLanes.EVEN_ENDING_4.selectFrom(v0, v1);
    v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
  }

  private static void everySecond8(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 8);
    for (int i = 0; i < full; i++) {
      LongVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsLongs();
      LongVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64)).reinterpretAsLongs();
      LongVector v = VectorLanes.EVEN_8.selectFrom(v0, v1);
      v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
      s += ByteArrays.at(128);
      d += NativeBytes.at(64);
    }
    // The last vectors end with the last block and overlap those before.
    long lastBlock = (long) (count - 1) * 8;
    s = ByteArrays.at(src) + 2 * ByteArrays.at(lastBlock) - ByteArrays.at(128) + 2 * ByteArrays.at(8);
    d = NativeBytes.at(dst) + NativeBytes.at(lastBlock) - NativeBytes.at(64) + NativeBytes.at(8);
    LongVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsLongs();
    LongVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64) - ByteArrays.at(8)).reinterpretAsLongs();
    LongVector v = VectorLanes.EVEN_ENDING_8.selectFrom(v0, v1);
    v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
  }

  private static void everySecond16(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 16);
    for (int i = 0; i < full; i++) {
      LongVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsLongs();
      LongVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64)).reinterpretAsLongs();
      LongVector v = VectorLanes.EVEN_16.selectFrom(v0, v1);
      v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
      s += ByteArrays.at(128);
      d += NativeBytes.at(64);
    }
    // The last vectors end with the last block and overlap those before.
    long lastBlock = (long) (count - 1) * 16;
    s = ByteArrays.at(src) + 2 * ByteArrays.at(lastBlock) - ByteArrays.at(128) + 2 * ByteArrays.at(16);
    d = NativeBytes.at(dst) + NativeBytes.at(lastBlock) - NativeBytes.at(64) + NativeBytes.at(16);
    LongVector v0 = ByteVector.fromArray(S512, a, s).reinterpretAsLongs();
    LongVector v1 = ByteVector.fromArray(S512, a, s + ByteArrays.at(64) - ByteArrays.at(16)).reinterpretAsLongs();
    LongVector v = VectorLanes.EVEN_ENDING_16.selectFrom(v0, v1);
    v.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER);
  }

  // ---- to every second place; blocks that need no mask are better copied word by word

  private static boolean toEverySecond(byte[] a, long src, long dst, long count, long block) {
    if (count * block < 64 || count >= CHUNK) {
      return false;
    }
    switch ((int) block) {
      case 2 -> toEverySecond2(a, src, dst, (int) count);
      case 4 -> toEverySecond4(a, src, dst, (int) count);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void toEverySecond2(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 2);
    for (int i = 0; i < full; i++) {
      ShortVector v = ByteVector.fromArray(S512, a, s).reinterpretAsShorts();
      ShortVector lower = VectorLanes.LOWER_2.selectFrom(v, v);
      ShortVector upper = VectorLanes.UPPER_2.selectFrom(v, v);
      lower.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER, EVEN_2);
      upper.reinterpretAsBytes().intoMemorySegment(MEMORY, d + NativeBytes.at(64), ORDER, EVEN_2);
      s += ByteArrays.at(64);
      d += NativeBytes.at(128);
    }
    long lastBlock = (long) (count - 1) * 2;
    s = ByteArrays.at(src) + ByteArrays.at(lastBlock) - ByteArrays.at(64) + ByteArrays.at(2);
    d = NativeBytes.at(dst) + 2 * NativeBytes.at(lastBlock) - NativeBytes.at(128) + 2 * NativeBytes.at(2);
    ShortVector v = ByteVector.fromArray(S512, a, s).reinterpretAsShorts();
    ShortVector lower = VectorLanes.LOWER_2.selectFrom(v, v);
    ShortVector upper = VectorLanes.UPPER_2.selectFrom(v, v);
    lower.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER, EVEN_2);
    upper.reinterpretAsBytes().intoMemorySegment(MEMORY, d + NativeBytes.at(64), ORDER, EVEN_2);
  }

  private static void toEverySecond4(byte[] a, long src, long dst, int count) {
    var s = ByteArrays.at(src);
    var d = NativeBytes.at(dst);
    int full = (count - 1) / (64 / 4);
    for (int i = 0; i < full; i++) {
      IntVector v = ByteVector.fromArray(S512, a, s).reinterpretAsInts();
      IntVector lower = VectorLanes.LOWER_4.selectFrom(v, v);
      IntVector upper = VectorLanes.UPPER_4.selectFrom(v, v);
      lower.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER, EVEN_4);
      upper.reinterpretAsBytes().intoMemorySegment(MEMORY, d + NativeBytes.at(64), ORDER, EVEN_4);
      s += ByteArrays.at(64);
      d += NativeBytes.at(128);
    }
    long lastBlock = (long) (count - 1) * 4;
    s = ByteArrays.at(src) + ByteArrays.at(lastBlock) - ByteArrays.at(64) + ByteArrays.at(4);
    d = NativeBytes.at(dst) + 2 * NativeBytes.at(lastBlock) - NativeBytes.at(128) + 2 * NativeBytes.at(4);
    IntVector v = ByteVector.fromArray(S512, a, s).reinterpretAsInts();
    IntVector lower = VectorLanes.LOWER_4.selectFrom(v, v);
    IntVector upper = VectorLanes.UPPER_4.selectFrom(v, v);
    lower.reinterpretAsBytes().intoMemorySegment(MEMORY, d, ORDER, EVEN_4);
    upper.reinterpretAsBytes().intoMemorySegment(MEMORY, d + NativeBytes.at(64), ORDER, EVEN_4);
  }
}
