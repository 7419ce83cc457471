// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/** At least two copies of a pattern at equal distances. */
public final class LoopPattern extends Pattern {
  public final long count;
  public final long stride;
  public final Pattern body;

  /** Null when the shared loops are best. Set at most once, before the pattern is published. */
  public LoopCopier hot;

  /** Creates a loop that {@link Patterns#loop} could not simplify; overflow is an ArithmeticException. */
  LoopPattern(long count, long stride, Pattern body) {
    super(
        Math.multiplyExact(count, body.size),
        Math.addExact(body.low, Math.min(0, Math.multiplyExact(count - 1, stride))),
        Math.addExact(body.high, Math.max(0, Math.multiplyExact(count - 1, stride))),
        Math.addExact(body.end, Math.multiplyExact(count - 1, stride)),
        body.end == stride ? count * (body.runs - 1) + 1 : count * body.runs,
        (Long.hashCode(count) * 31 + Long.hashCode(stride)) * 31 + body.hashCode() + 1);
    this.count = count;
    this.stride = stride;
    this.body = body;
  }

  @Override
  public void all(Copier copier, Object array, long at, long copyStride, long copies, long other, long otherStride) {
    if (body instanceof BlockPattern) {
      blocks(copier, array, at, copyStride, copies, other, otherStride);
      return;
    }
    long bodyStride = copier.dense ? body.size : stride;
    for (long i = 0; i < copies; i++) {
      long to = at + i * copyStride;
      long o = other + i * otherStride;
      if (hot == null || !hot.move(copier, array, to, count, o, bodyStride)) {
        body.all(copier, array, to, stride, count, o, bodyStride);
      }
    }
  }

  private void blocks(
      Copier copier, Object array, long at, long copyStride, long copies, long other, long otherStride) {
    long block = body.size;
    if (copies == 1) {
      copier.blocks(array, at, stride, count, block, other, copier.dense ? block : stride);
    } else if (copier.dense) {
      copier.grid(array, at, copyStride, copies, stride, count, block, other, otherStride, block);
    } else if (copyStride == block && otherStride == block && copies <= stride / block) {
      // Columns side by side, as in a transpose. Both sides have the same layout, so that the order is free: copy rows.
      long row = copies * block;
      if (row == stride) {
        copier.blocks(array, at, 0, 1, row * count, other, 0);
      } else {
        copier.blocks(array, at, stride, count, row, other, stride);
      }
    } else {
      copier.grid(array, at, copyStride, copies, stride, count, block, other, otherStride, stride);
    }
  }

  @Override
  public void part(Copier copier, Object array, long at, long from, long bytes, long other) {
    body.range(copier, array, at, stride, hot, from, bytes, other, copier.dense ? body.size : stride);
  }

  @Override
  public long words() {
    return 3 + body.words();
  }

  @Override
  public void forEachRun(long base, RunSink sink) {
    for (long i = 0; i < count; i++) {
      body.forEachRun(base + i * stride, sink);
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    LoopPattern p = (LoopPattern) other;
    return count == p.count && stride == p.stride && body.equals(p.body);
  }
}
