// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import org.ffmpi.datatype.plan.kernel.Copiers;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;

/**
 * The transfer between loops around blocks whose counts divide one another. They become one nest in which every loop
 * has a stride on either side, for a column into a row, or rows of 8 numbers into every second one.
 */
final class NestTransfer extends Transfer {
  private final NestPair nest;

  private NestTransfer(EndlessPattern source, EndlessPattern target, NestPair nest) {
    super(source, target);
    this.nest = nest;
  }

  /** Returns the common nest, or null when there is none. */
  static NestTransfer between(EndlessPattern source, EndlessPattern target) {
    NestPair nest = NestPair.of(source, target);
    return nest == null ? null : new NestTransfer(source, target, nest);
  }

  @Override
  public void move(int kind, long src, Object array, long at, long from, long bytes) {
    range(
        nest.loops() - 1, Copiers.copying(kind), src + source.displacement, array, at + target.displacement, from,
        bytes);
  }

  /** Copies a part of the iterations of a loop: the rest of one, whole ones, the beginning of another. */
  private void range(int loop, Copier copier, long src, Object array, long at, long from, long bytes) {
    long item = nest.size(loop);
    long sourceStride = nest.sourceStride(loop);
    long targetStride = nest.targetStride(loop);
    long index = from == 0 ? 0 : from / item;
    long within = from - index * item;
    long s = src + index * sourceStride;
    long t = at + index * targetStride;
    long left = bytes;
    if (within != 0) {
      long head = Math.min(item - within, left);
      part(loop, copier, s, array, t, within, head);
      left -= head;
      s += sourceStride;
      t += targetStride;
    }
    if (left >= item) {
      long whole = left / item;
      all(loop, whole, copier, s, array, t);
      left -= whole * item;
      s += whole * sourceStride;
      t += whole * targetStride;
    }
    if (left > 0) {
      part(loop, copier, s, array, t, 0, left);
    }
  }

  /** Copies a part of one iteration of a loop. */
  private void part(int loop, Copier copier, long src, Object array, long at, long from, long bytes) {
    if (loop == 0) {
      copier.blocks(array, at + from, bytes, 1, bytes, src + from, bytes);
    } else {
      range(loop - 1, copier, src, array, at, from, bytes);
    }
  }

  /** Copies whole iterations of a loop. */
  private void all(int loop, long count, Copier copier, long src, Object array, long at) {
    long sourceStride = nest.sourceStride(loop);
    long targetStride = nest.targetStride(loop);
    if (loop == 0) {
      copier.blocks(array, at, targetStride, count, nest.block(), src, sourceStride);
    } else if (loop == 1) {
      copier.grid(
          array, at, targetStride, count, nest.targetStride(0), nest.count(0), nest.block(),
          src, sourceStride, nest.sourceStride(0));
    } else {
      for (long i = 0; i < count; i++) {
        all(loop - 1, nest.count(loop - 1), copier, src + i * sourceStride, array, at + i * targetStride);
      }
    }
  }
}
