// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * The endless loop around a pattern at one distance, and the loops generated for it, if any. Blocks and nests around
 * them have none: the shared loops are made for them. Nothing is generated, nor asked for, before the first use.
 */
final class HotLoop {
  private final Pattern body;
  private final long stride;

  /** Written without order: what it refers to is safe to see early, and to find out twice does no harm. */
  private GeneratedCopiers copiers;

  private boolean asked;

  private HotLoop(Pattern body, long stride) {
    this.body = body;
    this.stride = stride;
  }

  /** Returns the loop, or null when the shared loops are best. */
  static HotLoop around(Pattern body, long stride) {
    Pattern inner = body;
    while (inner instanceof LoopPattern loop) {
      inner = loop.body;
    }
    return inner instanceof BlockPattern ? null : new HotLoop(body, stride);
  }

  /** Moves whole copies of the pattern. */
  void all(Mover mover, Object array, long at, long count, long other, long otherStride) {
    GeneratedCopiers known = copiers;
    if (known == null && !asked) {
      known = ask();
    }
    if (known == null || !mover.generated(known, array, at, stride, count, count * body.size, other, otherStride)) {
      body.all(mover, array, at, stride, count, other, otherStride);
    }
  }

  private GeneratedCopiers ask() {
    copiers = GeneratedCopiers.of(body, stride);
    asked = true;
    return copiers;
  }
}
