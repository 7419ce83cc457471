// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.raw.Memory;

/**
 * One of the three directions of a {@link Copier}, for one kind of memory: into a stream, out of a stream, or from
 * native memory laid out by the same pattern. So a {@link Pattern} is walked by the same few lines in all of them.
 *
 * <p>{@code at} is a place in the user's memory and {@code other} one on the other side: of the stream when the mover
 * is dense, else the place that corresponds to {@code at}.
 */
abstract sealed class Mover permits PackMover, UnpackMover, CopyMover {
  private static final int KINDS = Memory.DOUBLES + 1;
  private static final Mover[] PACK = new Mover[KINDS];
  private static final Mover[] UNPACK = new Mover[KINDS];
  private static final Mover[] COPY = new Mover[KINDS];

  static {
    for (int kind = 0; kind < KINDS; kind++) {
      Copier copier = kind == Memory.CONFINED ? null : copier(kind);
      PACK[kind] = new PackMover(kind, copier);
      UNPACK[kind] = new UnpackMover(kind, copier);
      COPY[kind] = new CopyMover(kind, copier);
    }
  }

  /** Whether the other side is a stream. */
  final boolean dense;

  /** The loops for this kind of memory. */
  final Copier copier;

  /** Kind of the user's memory. */
  final int kind;

  Mover(boolean dense, int kind, Copier copier) {
    this.dense = dense;
    this.kind = kind;
    this.copier = copier;
  }

  private static Copier copier(int kind) {
    return kind == Memory.SESSION || kind == Memory.BOOLEANS ? new RunwiseCopier(kind) : Copier.of(kind);
  }

  /** Returns the mover into a stream; confined memory is moved as native memory. */
  static Mover packing(int kind) {
    return PACK[kind];
  }

  /** Returns the mover out of a stream; confined memory is moved as native memory. */
  static Mover unpacking(int kind) {
    return UNPACK[kind];
  }

  /** Returns the mover from memory of the same pattern; confined memory is moved as native memory. */
  static Mover copying(int kind) {
    return COPY[kind];
  }

  /** Moves blocks at equal distances. */
  abstract void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride);

  /** Moves rows of blocks at equal distances; {@code otherStride} is from row to row. */
  abstract void grid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long other, long otherStride);

  /** Moves copies of some blocks of a list; {@code otherStride} is from copy to copy. */
  abstract void table(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block,
      long other, long otherStride);

  /** Moves copies of some runs of a list; {@code otherStride} is from copy to copy. */
  abstract void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride);

  /**
   * Moves whole elements through loops that were generated for them, {@code stride} apart; returns false, and moves
   * nothing, where there are none.
   */
  abstract boolean generated(
      GeneratedCopiers copiers, Object array, long at, long stride, long count, long bytes,
      long other, long otherStride);
}
