// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.raw.Memory;

/**
 * Loops that move blocks of bytes between a user's memory and native memory: what every plan is made of, shared by all
 * plans and warm after the first of them. One instance per kind of memory, each of a class of its own, so that one kind
 * never slows another down; the classes are generated when the library is built.
 *
 * <p>The user's memory is an array with offsets in bytes from its element 0, of any alignment, or native memory with
 * absolute addresses; then the array is ignored. The other side is native, always. Strides are bytes from the start of
 * one block to the start of the next and may be negative, zero, or less than a block; two blocks that are written must
 * not overlap, and neither may source and target. Counts and block sizes may be zero, not negative.
 *
 * <ul>
 *   <li>{@code pack} writes the blocks side by side from {@code dst} on and touches no byte outside this dense stream.
 *   <li>{@code unpack} reads such a stream and writes no byte of a gap, not even with its old value.
 *   <li>{@code copy} goes from native memory that has gaps of its own.
 * </ul>
 *
 * <p>Reading, all three may take bytes between the lowest and the highest byte of the blocks on that side along, and
 * forget them.
 *
 * <p>Nothing is checked but what the JVM checks of arrays: callers have checked bounds and keep the memory alive. No
 * method blocks. None allocates once compiled.
 */
abstract class Copier {
  private static final Copier NATIVE = new NativeCopies();
  private static final Copier BYTES = new ByteCopies();
  private static final Copier CHARS = new CharCopies();
  private static final Copier SHORTS = new ShortCopies();
  private static final Copier INTS = new IntCopies();
  private static final Copier LONGS = new LongCopies();
  private static final Copier FLOATS = new FloatCopies();
  private static final Copier DOUBLES = new DoubleCopies();

  /** Made by the subclasses only. */
  Copier() {}

  /**
   * Returns the loops for a kind of memory.
   *
   * @param kind {@link Memory#NATIVE} or a kind of numeric array
   * @return the one instance
   * @throws IllegalArgumentException for the kinds that no typed loop can reach
   */
  static Copier of(int kind) {
    return switch (kind) {
      case Memory.NATIVE -> NATIVE;
      case Memory.BYTES -> BYTES;
      case Memory.CHARS -> CHARS;
      case Memory.SHORTS -> SHORTS;
      case Memory.INTS -> INTS;
      case Memory.LONGS -> LONGS;
      case Memory.FLOATS -> FLOATS;
      case Memory.DOUBLES -> DOUBLES;
      default -> throw new IllegalArgumentException(
          "kind = " + kind + ": allowed are " + Memory.NATIVE + " and the kinds of numeric arrays");
    };
  }

  // ---- blocks of one size at one distance

  /**
   * Packs {@code count} blocks.
   *
   * @param array the user's array
   * @param at where the first block begins
   * @param stride from block to block
   * @param count number of blocks
   * @param block bytes in a block
   * @param dst absolute address of the stream
   */
  abstract void pack(Object array, long at, long stride, long count, long block, long dst);

  /**
   * Unpacks {@code count} blocks.
   *
   * @param src absolute address of the stream
   * @param array the user's array
   * @param at where the first block begins
   * @param stride from block to block
   * @param count number of blocks
   * @param block bytes in a block
   */
  abstract void unpack(long src, Object array, long at, long stride, long count, long block);

  /**
   * Copies {@code count} blocks.
   *
   * @param src absolute address of the first block to read
   * @param srcStride from block to block there
   * @param array the user's array
   * @param at where the first block is written
   * @param stride from block to block there
   * @param count number of blocks
   * @param block bytes in a block
   */
  abstract void copy(long src, long srcStride, Object array, long at, long stride, long count, long block);

  // ---- blocks of one size in two dimensions

  /**
   * Packs {@code outerCount} times {@code innerCount} blocks, the inner dimension running fastest in the stream.
   *
   * @param array the user's array
   * @param at where the first block begins
   * @param outerStride from a block to its successor in the outer dimension
   * @param outerCount length of the outer dimension
   * @param innerStride from a block to its successor in the inner dimension
   * @param innerCount length of the inner dimension
   * @param block bytes in a block
   * @param dst absolute address of the stream
   */
  abstract void packGrid(
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
      long dst);

  /**
   * Unpacks {@code outerCount} times {@code innerCount} blocks, the inner dimension running fastest in the stream.
   *
   * @param src absolute address of the stream
   * @param array the user's array
   * @param at where the first block begins
   * @param outerStride from a block to its successor in the outer dimension
   * @param outerCount length of the outer dimension
   * @param innerStride from a block to its successor in the inner dimension
   * @param innerCount length of the inner dimension
   * @param block bytes in a block
   */
  abstract void unpackGrid(
      long src,
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block);

  /**
   * Copies {@code outerCount} times {@code innerCount} blocks.
   *
   * @param src absolute address of the first block to read
   * @param srcOuterStride from a block to its successor in the outer dimension there
   * @param srcInnerStride from a block to its successor in the inner dimension there
   * @param array the user's array
   * @param at where the first block is written
   * @param outerStride from a block to its successor in the outer dimension
   * @param outerCount length of the outer dimension
   * @param innerStride from a block to its successor in the inner dimension
   * @param innerCount length of the inner dimension
   * @param block bytes in a block
   */
  abstract void copyGrid(
      long src, long srcOuterStride, long srcInnerStride,
      Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block);

  // ---- runs: blocks of any size at any place, repeated

  /**
   * Packs {@code count} elements of some runs of a list.
   *
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the runs begin, from the element's origin
   * @param lengths bytes in each run
   * @param from first run
   * @param to after the last run
   * @param dst absolute address of the stream
   */
  abstract void packRuns(
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
      long dst);

  /**
   * Unpacks {@code count} elements of some runs of a list.
   *
   * @param src absolute address of the stream
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the runs begin, from the element's origin
   * @param lengths bytes in each run
   * @param from first run
   * @param to after the last run
   */
  abstract void unpackRuns(
      long src,
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to);

  /**
   * Copies {@code count} elements of some runs of a list from memory laid out alike.
   *
   * @param src absolute address of the first element's origin there
   * @param srcStride from element to element there
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the runs begin, from the element's origin, on both sides
   * @param lengths bytes in each run
   * @param from first run
   * @param to after the last run
   */
  abstract void copyRuns(
      long src, long srcStride,
      Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to);

  // ---- blocks of one size at any place, repeated

  /**
   * Packs {@code count} elements of some blocks of a list.
   *
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the blocks begin, from the element's origin
   * @param from first block
   * @param to after the last block
   * @param block bytes in a block
   * @param dst absolute address of the stream
   */
  abstract void packBlocks(
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block, long dst);

  /**
   * Unpacks {@code count} elements of some blocks of a list.
   *
   * @param src absolute address of the stream
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the blocks begin, from the element's origin
   * @param from first block
   * @param to after the last block
   * @param block bytes in a block
   */
  abstract void unpackBlocks(
      long src, Object array, long at, long stride, long count, long[] displacements, int from, int to, long block);

  /**
   * Copies {@code count} elements of some blocks of a list from memory laid out alike.
   *
   * @param src absolute address of the first element's origin there
   * @param srcStride from element to element there
   * @param array the user's array
   * @param at origin of the first element
   * @param stride from element to element
   * @param count number of elements
   * @param displacements where the blocks begin, from the element's origin, on both sides
   * @param from first block
   * @param to after the last block
   * @param block bytes in a block
   */
  abstract void copyBlocks(
      long src, long srcStride,
      Object array, long at, long stride, long count, long[] displacements, int from, int to, long block);
}
