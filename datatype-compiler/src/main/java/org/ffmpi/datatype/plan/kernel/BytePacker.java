// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier;

/** Packs from a {@code byte[]}. The classes for other kinds of memory are derived from this one. */
final class BytePacker extends Copier {
  private static final VectorGate RUNS = VectorGate.of(Memory.BYTES, VectorGate.Loops.RUNS_PACKED);

  BytePacker() {
    super(Direction.PACK, Memory.BYTES);
  }

  @Override
  public void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    BytesToNative.blocks(ByteArrays.of(array), at, stride, other, otherStride, count, block);
  }

  @Override
  public void grid(
      Object array, long at, long outer, long outerCount, long inner, long innerCount, long block,
      long other, long otherOuter, long otherInner) {
    BytesToNative.grid(
        ByteArrays.of(array), at, outer, inner, other, otherOuter, otherInner, outerCount, innerCount, block);
  }

  @Override
  public void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    byte[] a = ByteArrays.of(array);
    if (Vectors.PRESENT && from < to && RUNS.open(count * (to - from) * VectorGate.RUN)) {
      BytePackVectors.runs(a, at, stride, other, count, displacements, lengths, from, to);
      return;
    }
    long d = other;
    for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
      d = BytesToNative.runsPacked(a, at + i * stride, displacements, lengths, from, to, d);
    }
  }

  @Override
  public void equalRuns(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long bytes,
      long other, long otherStride) {
    byte[] a = ByteArrays.of(array);
    long d = other;
    for (long i = 0, n = bytes == 0 || from == to ? 0 : count; i < n; i++) {
      for (int r = from; r < to; r++, d += bytes) {
        BytesToNative.one(a, at + i * stride + displacements[r], d, bytes);
      }
    }
  }
}
