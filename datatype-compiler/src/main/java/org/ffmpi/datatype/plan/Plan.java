// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * What a committed datatype was compiled to: moves elements between the place the user keeps them and a packed stream.
 * The <em>packed stream</em> of {@code count} elements is their data in typemap order without gaps, {@code count *
 * size()} bytes; every method can begin and end at any byte of it, so that a message can be cut into chunks anywhere.
 *
 * <p>The user's memory is given as a kind, an owner and an offset (see {@link org.ffmpi.base.raw.Memory});
 * displacements of the type are relative to that offset, and a negative lower bound reaches below it. Streams are
 * absolute addresses.
 *
 * <p>Plans are immutable and shared by all threads. They check nothing: a caller has made sure, once, that all elements
 * lie in the user's buffer ({@link org.ffmpi.base.raw.Memory#checkBounds}) and that this thread may touch it, and keeps
 * stream memory alive during the call. No method blocks or allocates. Bytes in gaps are neither read nor written.
 */
public abstract sealed class Plan permits ContiguousPlan, BlockPlan {
  private final long size;
  private final long extent;
  private final long trueLowerBound;
  private final long trueExtent;

  /** Takes over the numbers of the compiled shape. */
  Plan(long size, long extent, long trueLowerBound, long trueExtent) {
    this.size = size;
    this.extent = extent;
    this.trueLowerBound = trueLowerBound;
    this.trueExtent = trueExtent;
  }

  /**
   * Returns the bytes of one element in the stream.
   *
   * @return bytes, not negative
   */
  public final long size() {
    return size;
  }

  /**
   * Returns the distance in memory from one element to the next.
   *
   * @return bytes, possibly negative
   */
  public final long extent() {
    return extent;
  }

  /**
   * Returns where in memory the data of an element begin.
   *
   * @return displacement of the lowest byte of data from the element's address
   */
  public final long trueLowerBound() {
    return trueLowerBound;
  }

  /**
   * Returns how much memory the data of an element span.
   *
   * @return bytes from the first to the last byte of data
   */
  public final long trueExtent() {
    return trueExtent;
  }

  /**
   * Tells whether memory and stream look the same: any number of elements is one run of {@code count * size()} bytes at
   * {@code trueLowerBound()}, in typemap order.
   *
   * @return true when elements may be copied as one block
   */
  public abstract boolean isContiguous();

  /**
   * Returns the length of a stream.
   *
   * @param count number of elements, not negative
   * @return {@code count * size()}
   * @throws MpiException ERR_COUNT when that does not fit in 63 bits
   */
  public final long packedBytes(long count) {
    long high = Math.multiplyHigh(count, size);
    long low = count * size;
    if (high != 0 || low < 0) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "a number of elements of " + size + " bytes whose sum fits in 63 bits");
    }
    return low;
  }

  /**
   * Copies a part of the packed stream out of the user's memory.
   *
   * @param kind kind of the user's memory
   * @param owner array or segment the memory belongs to
   * @param offset where the first element lies, by the rules of {@code kind}
   * @param count number of elements in the buffer
   * @param from first byte of the stream to produce
   * @param bytes number of bytes to produce; {@code from + bytes <= packedBytes(count)}
   * @param dst absolute address that receives byte {@code from} of the stream
   */
  public abstract void pack(int kind, Object owner, long offset, long count, long from, long bytes, long dst);

  /**
   * Copies a part of a packed stream into the user's memory.
   *
   * @param src absolute address of byte {@code from} of the stream
   * @param kind kind of the user's memory
   * @param owner array or segment the memory belongs to
   * @param offset where the first element lies, by the rules of {@code kind}
   * @param count number of elements in the buffer
   * @param from first byte of the stream to consume
   * @param bytes number of bytes to consume; {@code from + bytes <= packedBytes(count)}
   */
  public abstract void unpack(long src, int kind, Object owner, long offset, long count, long from, long bytes);

  /**
   * Copies elements that lie in native memory as another plan describes them into the user's memory as this plan
   * describes it, with no stream between: the two packed streams agree byte for byte, their layouts need not.
   *
   * @param src absolute address of the source buffer, its first element
   * @param srcPlan layout of the source
   * @param srcCount number of elements in the source buffer
   * @param kind kind of the user's memory
   * @param owner array or segment the memory belongs to
   * @param offset where the first element lies, by the rules of {@code kind}
   * @param count number of elements in the user's buffer
   * @param from first byte of the stream to copy
   * @param bytes number of bytes to copy; within the streams of both
   */
  public final void transfer(
      long src, Plan srcPlan, long srcCount,
      int kind, Object owner, long offset, long count,
      long from, long bytes) {
    srcPlan.transferTo(this, src, srcCount, kind, owner, offset, count, from, bytes);
  }

  /** {@link #transfer} seen from the source: hands each run of this plan's memory to {@code target}'s unpack. */
  abstract void transferTo(
      Plan target, long src, long srcCount,
      int kind, Object owner, long offset, long count,
      long from, long bytes);
}
