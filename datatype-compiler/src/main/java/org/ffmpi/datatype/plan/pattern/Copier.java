// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/**
 * The shared loops that move every pattern, in one direction, between one kind of the user's memory and native memory.
 * All plans use them, so they are warm after the first plan. Each kind of memory and direction has a class of its own,
 * so that one kind never slows another down.
 *
 * <p>The user's memory is an array with offsets in bytes from its element 0, of any alignment, or native memory with
 * absolute addresses; then the array is ignored. The other side is always native. {@code at} is a place in the user's
 * memory and {@code other} the corresponding one on the other side. Strides are bytes from the start of one block to
 * the start of the next and may be negative, zero, or less than a block; two blocks that are written must not overlap,
 * and neither may source and target. Counts and block sizes may be zero, not negative.
 *
 * <ul>
 *   <li>{@link Direction#PACK} writes a dense stream on the other side and touches no byte outside it.
 *   <li>{@link Direction#UNPACK} reads such a stream and writes no byte of a gap, not even with its old value.
 *   <li>{@link Direction#COPY} reads native memory with gaps of its own. Blocks may move in any order.
 * </ul>
 *
 * <p>Any of them may also read bytes between the lowest and the highest byte of the blocks on its source side, and drop
 * them.
 *
 * <p>Only the JVM's own checks of arrays are made: callers have checked bounds and keep the memory alive. No method
 * blocks, and none allocates once compiled.
 */
public abstract class Copier {
  /** The directions of a copy. */
  public enum Direction {
    /** From the user's memory to a stream. */
    PACK,

    /** From a stream to the user's memory. */
    UNPACK,

    /** From native memory laid out by the same pattern to the user's memory. */
    COPY
  }

  /** The direction of the copy. */
  public final Direction direction;

  /** Whether the other side is a stream. */
  public final boolean dense;

  /** Kind of the user's memory. */
  public final int kind;

  /** Called by the subclasses only. */
  protected Copier(Direction direction, int kind) {
    this.direction = direction;
    this.dense = direction != Direction.COPY;
    this.kind = kind;
  }

  /**
   * Moves blocks of one size at equal distances.
   *
   * @param array the user's array
   * @param at where the first block begins
   * @param stride from block to block
   * @param count number of blocks
   * @param block bytes in a block
   * @param other absolute address of the first block on the other side
   * @param otherStride from block to block there; {@code block} where the other side is a stream
   */
  public abstract void blocks(Object array, long at, long stride, long count, long block, long other, long otherStride);

  /**
   * Moves blocks of one size in two dimensions, the inner dimension running fastest in a stream.
   *
   * @param array the user's array
   * @param at where the first block begins
   * @param outer from a block to its successor in the outer dimension
   * @param outerCount length of the outer dimension
   * @param inner from a block to its successor in the inner dimension
   * @param innerCount length of the inner dimension
   * @param block bytes in a block
   * @param other absolute address of the first block on the other side
   * @param otherOuter from a block to its successor in the outer dimension there
   * @param otherInner the same in the inner dimension; {@code block} where the other side is a stream
   */
  public abstract void grid(
      Object array, long at, long outer, long outerCount, long inner, long innerCount, long block,
      long other, long otherOuter, long otherInner);

  /**
   * Moves elements, each of which is some runs of a list.
   *
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the runs begin, from the element's origin
   * @param lengths bytes in each run
   * @param from first run
   * @param to after the last run
   * @param other absolute address of the stream, or of the first element's origin on the other side
   * @param otherStride from element to element there; ignored where the other side is a stream
   */
  public abstract void runs(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long other, long otherStride);

  /**
   * Moves elements, each of which is some runs of a list, all runs of one length.
   *
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the runs begin, from the element's origin
   * @param from first run
   * @param to after the last run
   * @param bytes length of a run
   * @param other absolute address of the stream, or of the first element's origin on the other side
   * @param otherStride from element to element there; ignored where the other side is a stream
   */
  public abstract void equalRuns(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long bytes,
      long other, long otherStride);
}
