// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.Arrays;

/** Blocks of one size at irregular places. */
public final class EqualRunsPattern extends Pattern {
  public final long block;

  /** One for each block, the first of them 0. Never written. */
  public final long[] displacements;

  EqualRunsPattern(long block, long[] displacements, long low, long high) {
    super(
        Math.multiplyExact(block, (long) displacements.length), low, high,
        displacements[displacements.length - 1] + block, displacements.length,
        Arrays.hashCode(displacements) * 31 + Long.hashCode(block) + 2);
    this.block = block;
    this.displacements = displacements;
  }

  @Override
  public void all(Copier copier, Object array, long at, long stride, long count, long other, long otherStride) {
    copier.equalRuns(
        array, at, stride, count, displacements, 0, displacements.length, block, other, otherStride);
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    int index = (int) (from / block);
    long within = from - index * block;
    long o = other;
    long left = bytes;
    if (within != 0) {
      long head = Math.min(block - within, left);
      piece(copier, array, at, index++, within, head, o);
      left -= head;
      if (copier.dense) {
        o += head;
      }
    }
    int whole = (int) (left / block);
    if (whole > 0) {
      copier.equalRuns(array, at, 0, 1, displacements, index, index + whole, block, o, 0);
      index += whole;
      left -= whole * block;
      if (copier.dense) {
        o += whole * block;
      }
    }
    if (left > 0) {
      piece(copier, array, at, index, 0, left, o);
    }
  }

  private void piece(Copier copier, Object array, long at, int index, long within, long bytes, long other) {
    long displacement = displacements[index] + within;
    copier.blocks(array, at + displacement, bytes, 1, bytes, copier.dense ? other : other + displacement, bytes);
  }

  @Override
  public long words() {
    return 3L + displacements.length;
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    for (long displacement : displacements) {
      sink.run(base + displacement, block);
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    EqualRunsPattern p = (EqualRunsPattern) other;
    return block == p.block && Arrays.equals(displacements, p.displacements);
  }
}
