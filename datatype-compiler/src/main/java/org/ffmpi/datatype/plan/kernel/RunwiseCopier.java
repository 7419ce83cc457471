// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier;

/**
 * The loops for memory that no typed loop may access, with one checked {@link Memory} copy for each run. Such memory is
 * segments whose arena another thread may close at any time, and arrays of booleans.
 */
final class RunwiseCopier extends Copier {
  RunwiseCopier(Direction direction, int kind) {
    super(direction, kind);
  }

  private void one(Object array, long at, long other, long bytes) {
    if (direction == Direction.PACK) {
      Memory.read(kind, array, at, other, bytes);
    } else {
      Memory.write(kind, array, at, other, bytes);
    }
  }

  @Override
  public void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    for (long i = 0; i < count; i++) {
      one(array, at + i * stride, other + i * otherStride, block);
    }
  }

  @Override
  public void grid(
      Object array, long at, long outer, long outerCount, long inner, long innerCount, long block,
      long other, long otherOuter, long otherInner) {
    for (long i = 0; i < outerCount; i++) {
      blocks(array, at + i * outer, inner, innerCount, block, other + i * otherOuter, otherInner);
    }
  }

  @Override
  public void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    long next = other;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        long displacement = displacements[i];
        one(array, at + c * stride + displacement, dense ? next : other + c * otherStride + displacement, lengths[i]);
        next += lengths[i];
      }
    }
  }

  @Override
  public void equalRuns(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long bytes,
      long other, long otherStride) {
    long next = other;
    for (long c = 0; c < count; c++) {
      for (int i = from; i < to; i++) {
        long displacement = displacements[i];
        one(array, at + c * stride + displacement, dense ? next : other + c * otherStride + displacement, bytes);
        next += bytes;
      }
    }
  }
}
