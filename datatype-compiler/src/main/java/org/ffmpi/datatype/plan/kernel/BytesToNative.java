// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Memory;

/**
 * Copies grids, blocks at equal distances and single blocks from a {@code byte[]} to native memory. Chooses between the
 * loops of {@link BytesToNativeVectors}, {@link BytesToNativeTiles} and {@link BytesToNativeBlocks}. The classes for
 * the way back and for other kinds of memory are derived from this one.
 *
 * <p>A source is given by an array and offsets in bytes, a target by addresses.
 */
final class BytesToNative {
  /** Blocks in a loop that counts with ints, which the JVM's compiler handles best. */
  private static final long CHUNK = 1 << 24;

  /** Up to this many bytes a block is a few inlined loads and stores. */
  private static final long SMALL = 64;

  private static final VectorGate SECONDS = VectorGate.of(Memory.BYTES, VectorGate.Loops.OUT_SECONDS);
  private static final VectorGate BLOCKS = VectorGate.of(Memory.BYTES, VectorGate.Loops.OUT_BLOCKS);
  private static final VectorGate GRID = VectorGate.of(Memory.BYTES, VectorGate.Loops.OUT_GRID);

  private BytesToNative() {}

  static void grid(
      byte[] a, long src, long srcOuter, long srcInner, long dst, long dstOuter, long dstInner,
      long outer, long inner, long block) {
    if (block == 0) {
      return;
    }
    if (Vectors.PRESENT && ByteArrays.isWhole(src | srcOuter | srcInner | block)
        && NativeBytes.isWhole(dst | dstOuter | dstInner | block)
        && Vectors.grid(srcOuter, srcInner, dstOuter, dstInner, block)
        && GRID.open(outer * inner * block) && BytesToNativeTiles.grid(
            a, src, srcOuter, srcInner, dst, dstOuter, dstInner, outer, inner, block)) {
      return;
    }
    if (inner < outer) {
      // Blocks may move in any order, so the longer loop is the inner one.
      for (long i = 0; i < inner; i++) {
        blocks(a, src + i * srcInner, srcOuter, dst + i * dstInner, dstOuter, outer, block);
      }
    } else {
      for (long i = 0; i < outer; i++) {
        blocks(a, src + i * srcOuter, srcInner, dst + i * dstOuter, dstInner, inner, block);
      }
    }
  }

  static void blocks(byte[] a, long src, long srcStride, long dst, long dstStride, long count, long block) {
    if (block == 0) {
      return;
    }
    if (Vectors.PRESENT && ByteArrays.isWhole(src | srcStride | block) && NativeBytes.isWhole(dst | dstStride | block)
        && (Vectors.seconds(srcStride, dstStride, block) ? SECONDS.open(count * block)
            : Vectors.blocks(block) && BLOCKS.open(count * block))
        && BytesToNativeVectors.blocks(a, src, srcStride, dst, dstStride, count, block)) {
      return;
    }
    for (long done = 0; done < count; done += CHUNK) {
      int n = (int) Math.min(count - done, CHUNK);
      BytesToNativeBlocks.chunk(a, src + done * srcStride, srcStride, dst + done * dstStride, dstStride, n, block);
    }
  }

  static void each(byte[] a, long src, long srcStride, long dst, long dstStride, int count, long block) {
    for (int i = 0; i < count; i++) {
      one(a, src + i * srcStride, dst + i * dstStride, block);
    }
  }

  /** Copies runs to the same displacements on the other side. */
  static void runs(byte[] a, long src, long dst, long[] displacements, long[] lengths, int from, int to) {
    for (int r = from; r < to; r++) {
      one(a, src + displacements[r], dst + displacements[r], lengths[r]);
    }
  }

  /** Copies runs into a stream; returns the next address of the stream. */
  static long runsPacked(byte[] a, long src, long[] displacements, long[] lengths, int from, int to, long dst) {
    long d = dst;
    for (int r = from; r < to; r++) {
      one(a, src + displacements[r], d, lengths[r]);
      d += lengths[r];
    }
    return d;
  }

  /** Copies runs out of a stream; returns the next address of the stream. */
  static long runsUnpacked(byte[] a, long src, long dst, long[] displacements, long[] lengths, int from, int to) {
    long s = src;
    for (int r = from; r < to; r++) {
      one(a, s, dst + displacements[r], lengths[r]);
      s += lengths[r];
    }
    return s;
  }

  static void one(byte[] a, long src, long dst, long bytes) {
    if (bytes <= SMALL) {
      BytesToNativeBlocks.small(a, src, dst, bytes);
    } else {
      Memory.read(Memory.BYTES, a, src, dst, bytes);
    }
  }
}
