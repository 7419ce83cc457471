// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;

/**
 * The compiled form of a committed datatype. It moves elements between the user's memory and a packed stream. The
 * <em>packed stream</em> of {@code count} elements is their data in typemap order without gaps, {@code count * size()}
 * bytes; every method can begin and end at any byte of it, so that a message can be cut into chunks anywhere.
 *
 * <p>The user's memory is given as a kind, an owner and an offset (see {@link org.ffmpi.base.raw.Memory});
 * displacements of the type are relative to that offset, and a negative lower bound reaches below it. Streams are
 * absolute addresses.
 *
 * <p>Plans are immutable and shared by all threads. They check nothing: the caller has checked once that all elements
 * lie in the user's buffer ({@link org.ffmpi.base.raw.Memory#checkBounds}) and that this thread may touch it, and keeps
 * stream memory alive during the call. No method that moves data blocks, and none allocates, except the first {@link
 * #transfer} between two plans. Bytes in gaps are never written.
 */
public abstract sealed class Plan permits ContiguousPlan, NestPlan {
  private final PlanCore core;
  private final StreamSignature signature;
  private final long size;
  private final long extent;
  private final long trueLowerBound;
  private final long trueExtent;
  private final boolean isRun;

  /** Creates a plan around compiled elements. */
  Plan(PlanCore core, StreamSignature signature) {
    this.core = core;
    this.signature = signature;
    this.size = core.pattern.size();
    this.extent = core.pattern.extent;
    this.trueLowerBound = core.pattern.trueLowerBound();
    this.trueExtent = core.pattern.trueExtent();
    this.isRun = core.pattern.element instanceof BlockPattern;
  }

  static Plan of(PlanCore core, StreamSignature signature) {
    return core.pattern.isContiguous() ? new ContiguousPlan(core, signature) : new NestPlan(core, signature);
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
   * Returns whether memory and stream are the same: any number of elements is one run of {@code count * size()} bytes
   * at {@code trueLowerBound()}, in typemap order.
   *
   * @return true when elements may be copied as one block
   */
  public abstract boolean isContiguous();

  /**
   * Returns whether a number of elements is the same in memory and in the stream: they are {@linkplain #isContiguous
   * contiguous}, or a single one without gaps, of any extent.
   *
   * @param count number of elements, not negative
   * @return true when they may be copied as one block of {@code count * size()} bytes at {@code trueLowerBound()}
   */
  public final boolean isRun(long count) {
    return isContiguous() || isRun && count == 1;
  }

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

  // ---- moving data

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
    if (bytes == 0) {
      return;
    }
    if (srcPlan.isContiguous()) {
      unpack(src + srcPlan.trueLowerBound + from, kind, owner, offset, count, from, bytes);
      return;
    }
    boolean confined = kind == Memory.CONFINED;
    long at = confined ? ConfinedMemory.address(owner) + offset : offset;
    int openKind = confined ? Memory.NATIVE : kind;
    try {
      if (openKind == Memory.NATIVE && isContiguous()) {
        srcPlan.pack(Memory.NATIVE, null, src, srcCount, from, bytes, at + trueLowerBound + from);
      } else {
        core.transfers.from(srcPlan.core.pattern).move(openKind, src, owner, at, from, bytes);
      }
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  // ---- what elements are made of

  /**
   * Passes the runs of bytes of elements to a visitor, in typemap order; runs that follow one another in memory too are
   * joined. Takes time in proportion to their number.
   *
   * @param count number of elements, not negative
   * @param visitor is shown the runs
   */
  public final void forEachRun(long count, RunVisitor visitor) {
    if (core.pattern.unit == null) {
      return;
    }
    RunJoiner joiner = new RunJoiner(visitor);
    long units = packedBytes(count) / core.pattern.unit.size;
    for (long i = 0; i < units; i++) {
      core.pattern.unit.forEachRun(core.pattern.displacement + i * core.pattern.unitStride, joiner);
    }
    joiner.end();
  }

  /**
   * Returns how many runs of bytes an element is made of; runs that follow one another in the stream and in memory
   * count as one.
   *
   * @return a number, 0 for elements without data
   */
  public final long runs() {
    return core.pattern.element == null ? 0 : core.pattern.element.runs;
  }

  /**
   * Returns a cursor over the places of the endless stream of elements.
   *
   * @return a new cursor, for one thread at a time
   */
  public final StreamCursor cursor() {
    return new StreamCursor(core.pattern);
  }

  /**
   * Returns whether endless repetitions of the elements of several plans, of one extent, share no byte.
   *
   * @param plans the plans
   * @param displacements where the first element of each lies
   * @param extent from element to element, of all of them; positive
   * @return false when a byte belongs to two places of a stream, or to the streams of two plans
   */
  public static boolean areApart(Plan[] plans, long[] displacements, long extent) {
    List<PlacedPattern> members = new ArrayList<>();
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < plans.length; i++) {
      EndlessPattern pattern = plans[i].core.pattern;
      if (pattern.element != null) {
        members.add(new PlacedPattern(pattern.displacement, pattern.element).moved(displacements[i]));
        low = Math.min(low, displacements[i] + pattern.trueLowerBound());
        high = Math.max(high, displacements[i] + pattern.trueLowerBound() + pattern.trueExtent());
      }
    }
    PlacedPattern all = Patterns.sequence(members);
    return all == null
        || !OverlapSearch.overlaps(Patterns.loop((high - low) / extent + 2, extent, all.pattern()));
  }

  /**
   * Returns whether some elements name a byte of memory more than once. Such elements may be sent, but not received.
   * Computed at the first call, mostly in little time; layouts whose loops are interleaved are searched.
   *
   * @param count number of elements, not negative
   * @return true when a byte belongs to two places of the stream
   * @throws MpiException ERR_COUNT when what the elements span does not fit in 63 bits
   */
  public final boolean overlaps(long count) {
    return core.overlap.of(count);
  }

  // ---- plans for peers

  /**
   * Returns the size of this plan as bytes.
   *
   * @return bytes, a multiple of 8
   */
  public final long flattenedBytes() {
    return FlatPlan.bytes(core.pattern);
  }

  /**
   * Writes this plan as bytes that mean the same in every process of this machine. The signature is not among them.
   *
   * @param address absolute address of {@link #flattenedBytes} bytes
   */
  public final void flatten(long address) {
    FlatPlan.write(core.pattern, address);
  }

  /**
   * Makes a plan of bytes that another process wrote. None of them is trusted: each is read once, and words that {@link
   * #flatten} cannot have written are refused.
   *
   * @param address absolute address of the bytes
   * @param bytes how many
   * @return a plan, without signature; of equal bytes mostly the same one
   * @throws MpiException ERR_INTERN when the bytes are no plan
   */
  public static Plan unflatten(long address, long bytes) {
    return FlatPlan.read(address, bytes);
  }

  // ---- identity

  /**
   * Returns the common part of all plans that move bytes alike.
   *
   * @return an object to be compared by identity; equal shape and extent have the same one as long as one of their
   *     plans was compiled lately
   */
  public final Object core() {
    return core;
  }

  /**
   * Returns the signature of elements.
   *
   * @return the argument of {@link #withSignature}, or null
   */
  public final StreamSignature signature() {
    return signature;
  }

  /**
   * Returns a plan that moves bytes like this one and has a signature.
   *
   * @param signature the basic types elements are made of
   * @return a plan with the same core
   */
  public final Plan withSignature(StreamSignature signature) {
    return of(core, signature);
  }

  /**
   * Returns the plan in words: how elements follow one another, and the loops and lists of runs that one is made of.
   * Byte counts and distances in decimal; long lists are cut short.
   *
   * @return one line for simple plans, several for sequences of different parts
   */
  @Override
  public final String toString() {
    return PlanText.of(core.pattern);
  }
}
