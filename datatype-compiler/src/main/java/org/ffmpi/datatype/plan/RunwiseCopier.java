// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.raw.Memory;

/**
 * The loops for memory that no typed loop may touch, one checked {@link Memory} copy for each run: segments whose arena
 * another thread may close at any time, and arrays of booleans.
 */
final class RunwiseCopier extends Copier {
  private final int kind;

  RunwiseCopier(int kind) {
    this.kind = kind;
  }

  @Override
  void pack(Object array, long at, long stride, long count, long block, long dst) {
    for (long i = 0; i < count; i++) {
      Memory.read(kind, array, at + i * stride, dst + i * block, block);
    }
  }

  @Override
  void unpack(long src, Object array, long at, long stride, long count, long block) {
    copy(src, block, array, at, stride, count, block);
  }

  @Override
  void copy(long src, long srcStride, Object array, long at, long stride, long count, long block) {
    for (long i = 0; i < count; i++) {
      Memory.write(kind, array, at + i * stride, src + i * srcStride, block);
    }
  }

  @Override
  void packGrid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long dst) {
    long row = innerCount * block;
    for (long i = 0; i < outerCount; i++) {
      pack(array, at + i * outerStride, innerStride, innerCount, block, dst + i * row);
    }
  }

  @Override
  void unpackGrid(
      long src,
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block) {
    copyGrid(src, innerCount * block, block, array, at, outerStride, outerCount, innerStride, innerCount, block);
  }

  @Override
  void copyGrid(
      long src, long srcOuterStride, long srcInnerStride,
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block) {
    for (long i = 0; i < outerCount; i++) {
      copy(src + i * srcOuterStride, srcInnerStride, array, at + i * outerStride, innerStride, innerCount, block);
    }
  }

  @Override
  void packRuns(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long dst) {
    long next = dst;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        Memory.read(kind, array, at + c * stride + displacements[i], next, lengths[i]);
        next += lengths[i];
      }
    }
  }

  @Override
  void unpackRuns(
      long src,
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
    long next = src;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        Memory.write(kind, array, at + c * stride + displacements[i], next, lengths[i]);
        next += lengths[i];
      }
    }
  }

  @Override
  void copyRuns(
      long src, long srcStride,
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        long displacement = displacements[i];
        Memory.write(
            kind, array, at + c * stride + displacement, src + c * srcStride + displacement, lengths[i]);
      }
    }
  }

  @Override
  void packBlocks(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block, long dst) {
    long next = dst;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        Memory.read(kind, array, at + c * stride + displacements[i], next, block);
        next += block;
      }
    }
  }

  @Override
  void unpackBlocks(
      long src, Object array, long at, long stride, long count, long[] displacements, int from, int to, long block) {
    long next = src;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        Memory.write(kind, array, at + c * stride + displacements[i], next, block);
        next += block;
      }
    }
  }

  @Override
  void copyBlocks(
      long src, long srcStride,
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block) {
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        long displacement = displacements[i];
        Memory.write(kind, array, at + c * stride + displacement, src + c * srcStride + displacement, block);
      }
    }
  }
}
