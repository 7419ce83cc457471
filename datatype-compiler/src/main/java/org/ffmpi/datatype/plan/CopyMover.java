// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * Moves native memory that has the same pattern into the user's memory. Of what is moved in one call no byte is named
 * twice on the written side, or the user's program is wrong; so the order within it may be any.
 */
final class CopyMover extends Mover {
  CopyMover(int kind, Copier copier) {
    super(false, kind, copier);
  }

  @Override
  void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    copier.copy(other, otherStride, array, at, stride, count, block);
  }

  @Override
  void grid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long other, long otherStride) {
    if (outerStride == block && otherStride == block && outerCount <= innerStride / block) {
      // Columns side by side, as in a transpose. Both sides look alike, so that the order is free: copy rows.
      long row = outerCount * block;
      if (row == innerStride) {
        copier.copy(other, 0, array, at, 0, 1, row * innerCount);
      } else {
        copier.copy(other, innerStride, array, at, innerStride, innerCount, row);
      }
      return;
    }
    copier.copyGrid(
        other, otherStride, innerStride, array, at, outerStride, outerCount, innerStride, innerCount, block);
  }

  @Override
  void table(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block,
      long other, long otherStride) {
    copier.copyBlocks(other, otherStride, array, at, stride, count, displacements, from, to, block);
  }

  @Override
  void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    copier.copyRuns(other, otherStride, array, at, stride, count, displacements, lengths, from, to);
  }

  @Override
  boolean generated(
      GeneratedCopiers copiers, Object array, long at, long stride, long count, long bytes,
      long other, long otherStride) {
    // Generated loops have one distance built in, for both sides.
    ElementCopier loops = otherStride == stride ? copiers.forCopy(kind, at, bytes) : null;
    if (loops == null) {
      return false;
    }
    loops.copy(other, array, at, count);
    return true;
  }
}
