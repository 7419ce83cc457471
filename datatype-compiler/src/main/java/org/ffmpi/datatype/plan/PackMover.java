// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Moves the user's memory into a stream. */
final class PackMover extends Mover {
  PackMover(int kind, Copier copier) {
    super(true, kind, copier);
  }

  @Override
  void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride) {
    copier.pack(array, at, stride, count, block, other);
  }

  @Override
  void grid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long other, long otherStride) {
    copier.packGrid(array, at, outerStride, outerCount, innerStride, innerCount, block, other);
  }

  @Override
  void table(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block,
      long other, long otherStride) {
    copier.packBlocks(array, at, stride, count, displacements, from, to, block, other);
  }

  @Override
  void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride) {
    copier.packRuns(array, at, stride, count, displacements, lengths, from, to, other);
  }

  @Override
  boolean generated(
      GeneratedCopiers copiers, Object array, long at, long stride, long count, long bytes,
      long other, long otherStride) {
    ElementCopier loops = copiers.forPack(kind, at, bytes);
    if (loops == null) {
      return false;
    }
    loops.pack(array, at, count, other);
    return true;
  }
}
