// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/** Bytes side by side. */
public final class BlockPattern extends Pattern {
  public BlockPattern(long bytes) {
    super(bytes, 0, bytes, bytes, 1, Long.hashCode(bytes));
  }

  @Override
  public void all(Copier copier, Object array, long at, long stride, long count, long other, long otherStride) {
    copier.blocks(array, at, stride, count, size, other, otherStride);
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    copier.blocks(array, at + from, bytes, 1, bytes, copier.dense ? other : other + from, bytes);
  }

  @Override
  public long words() {
    return 2;
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    sink.run(base, size);
  }

  @Override
  boolean sameAs(Pattern other) {
    return true;
  }
}
