// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Copies of a pattern at equal distances: at least two. */
final class LoopPattern extends Pattern {
  final long count;
  final long stride;
  final Pattern body;

  /** Null when the shared loops are best. */
  private final HotLoop hot;

  /** Takes what {@link Patterns#loop} has found not to be simpler; overflow is an ArithmeticException. */
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
    this.hot = HotLoop.around(body, stride);
  }

  @Override
  void all(Mover mover, Object array, long at, long copyStride, long copies, long other, long otherStride) {
    if (body instanceof BlockPattern) {
      if (copies == 1) {
        mover.blocks(array, at, stride, count, body.size, other, mover.dense ? body.size : stride);
      } else {
        mover.grid(array, at, copyStride, copies, stride, count, body.size, other, otherStride);
      }
      return;
    }
    long bodyStride = mover.dense ? body.size : stride;
    for (long i = 0; i < copies; i++) {
      if (hot == null) {
        body.all(mover, array, at + i * copyStride, stride, count, other + i * otherStride, bodyStride);
      } else {
        hot.all(mover, array, at + i * copyStride, count, other + i * otherStride, bodyStride);
      }
    }
  }

  @Override
  void part(Mover mover, Object array, long at, long from, long bytes, long other) {
    body.range(mover, array, at, stride, hot, from, bytes, other, mover.dense ? body.size : stride);
  }

  @Override
  Pattern settled() {
    if (!(body instanceof BlockPattern) && runs <= Patterns.SMALL_TABLE) {
      RunList list = new RunList();
      forEachRun(0, list);
      return list.toPattern().pattern();
    }
    Pattern inner = body.settled();
    return inner == body ? this : Patterns.loop(count, stride, inner);
  }

  @Override
  long words() {
    return 3 + body.words();
  }

  @Override
  void forEachRun(long base, RunVisitor visitor) {
    for (long i = 0; i < count; i++) {
      body.forEachRun(base + i * stride, visitor);
    }
  }

  @Override
  boolean sameAs(Pattern other) {
    LoopPattern p = (LoopPattern) other;
    return count == p.count && stride == p.stride && body.equals(p.body);
  }
}
