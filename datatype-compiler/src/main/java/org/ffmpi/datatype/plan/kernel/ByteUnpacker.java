// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier;

/**
 * Unpacks into a {@code byte[]}, or copies into it from memory laid out alike. The classes for other kinds of memory
 * are derived from this one.
 */
final class ByteUnpacker extends Copier {
  private static final VectorGate UNPACKED = VectorGate.of(Memory.BYTES, VectorGate.Loops.RUNS_UNPACKED);
  private static final VectorGate COPIED = VectorGate.of(Memory.BYTES, VectorGate.Loops.RUNS_COPIED);

  ByteUnpacker(Direction direction) {
    super(direction, Memory.BYTES);
  }

  @Override
  public void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    NativeToBytes.blocks(ByteArrays.of(array), other, otherStride, at, stride, count, block);
  }

  @Override
  public void grid(
      Object array, long at, long outer, long outerCount, long inner, long innerCount, long block,
      long other, long otherOuter, long otherInner) {
    NativeToBytes.grid(
        ByteArrays.of(array), other, otherOuter, otherInner, at, outer, inner, outerCount, innerCount, block);
  }

  @Override
  public void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    byte[] a = ByteArrays.of(array);
    if (dense) {
      unpackRuns(a, at, stride, count, displacements, lengths, from, to, other);
    } else {
      copyRuns(a, at, stride, count, displacements, lengths, from, to, other, otherStride);
    }
  }

  private static void unpackRuns(
      byte[] a, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to, long other) {
    if (Vectors.PRESENT && from < to && UNPACKED.open(count * (to - from) * VectorGate.RUN)) {
      ByteUnpackVectors.runs(a, other, at, stride, count, displacements, lengths, from, to);
      return;
    }
    long s = other;
    for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
      s = NativeToBytes.runsUnpacked(a, s, at + i * stride, displacements, lengths, from, to);
    }
  }

  private static void copyRuns(
      byte[] a, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    if (Vectors.PRESENT && from < to && COPIED.open(count * (to - from) * VectorGate.RUN)) {
      ByteUnpackVectors.copyRuns(a, other, otherStride, at, stride, count, displacements, lengths, from, to);
      return;
    }
    for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
      NativeToBytes.runs(a, other + i * otherStride, at + i * stride, displacements, lengths, from, to);
    }
  }

  @Override
  public void equalRuns(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long bytes,
      long other, long otherStride) {
    byte[] a = ByteArrays.of(array);
    if (dense) {
      unpackEqualRuns(a, at, stride, count, displacements, from, to, bytes, other);
    } else {
      copyEqualRuns(a, at, stride, count, displacements, from, to, bytes, other, otherStride);
    }
  }

  private static void unpackEqualRuns(
      byte[] a, long at, long stride, long count, long[] displacements, int from, int to, long bytes, long other) {
    long s = other;
    for (long i = 0, n = bytes == 0 || from == to ? 0 : count; i < n; i++) {
      for (int r = from; r < to; r++, s += bytes) {
        NativeToBytes.one(a, s, at + i * stride + displacements[r], bytes);
      }
    }
  }

  private static void copyEqualRuns(
      byte[] a, long at, long stride, long count, long[] displacements, int from, int to, long bytes,
      long other, long otherStride) {
    for (long i = 0, n = bytes == 0 || from == to ? 0 : count; i < n; i++) {
      for (int r = from; r < to; r++) {
        long displacement = displacements[r];
        NativeToBytes.one(a, other + i * otherStride + displacement, at + i * stride + displacement, bytes);
      }
    }
  }
}
