// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Moves a stream into the user's memory. */
final class UnpackMover extends Mover {
  UnpackMover(int kind, Copier copier) {
    super(true, kind, copier);
  }

  @Override
  void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    copier.unpack(other, array, at, stride, count, block);
  }

  @Override
  void grid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long other, long otherStride) {
    copier.unpackGrid(other, array, at, outerStride, outerCount, innerStride, innerCount, block);
  }

  @Override
  void table(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block,
      long other, long otherStride) {
    copier.unpackBlocks(other, array, at, stride, count, displacements, from, to, block);
  }

  @Override
  void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    copier.unpackRuns(other, array, at, stride, count, displacements, lengths, from, to);
  }

  @Override
  boolean generated(
      GeneratedCopiers copiers, Object array, long at, long stride, long count, long bytes,
      long other, long otherStride) {
    ElementCopier loops = copiers.forUnpack(kind, at, bytes);
    if (loops == null) {
      return false;
    }
    loops.unpack(other, array, at, count);
    return true;
  }
}
