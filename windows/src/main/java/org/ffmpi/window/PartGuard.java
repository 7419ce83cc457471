// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * Serializes accumulates of {@link PartService} with direct accumulates of ranks of this node to the same part, by the
 * part's {@link Stripes}. Parts that only their owner reaches need no locks.
 */
final class PartGuard {
  /** The guard of parts that only their owner reaches. */
  static final PartGuard NONE = new PartGuard(null, 0);

  /** Most bytes of a long run that are combined under one lock. */
  private static final long PIECE = 16 << 10;

  private final Stripes stripes;
  private final long block;

  /**
   * Creates the guard of a part.
   *
   * @param block address of the part's synchronization block
   */
  PartGuard(Stripes stripes, long block) {
    this.stripes = stripes;
    this.block = block;
  }

  /** Returns how many bytes of a run of units are combined under one {@link #lock}. */
  static long pieceBytes(long unit) {
    return Math.max(1, PIECE / unit) * unit;
  }

  /** Acquires the locks of one or more elements; returns the set of stripes. */
  long lock(long position, long count, Plan plan) {
    if (stripes == null) {
      return 0;
    }
    long lastOrigin = (count - 1) * plan.extent();
    long first = position + plan.trueLowerBound() + Math.min(0, lastOrigin);
    long end = position + plan.trueLowerBound() + plan.trueExtent() + Math.max(0, lastOrigin);
    return stripes.lockAll(block, first, end);
  }

  /**
   * Combines elements that lie apart, each tile of them under its own locks. Returns false without an effect where no
   * locks are needed.
   *
   * @param at the place of the first element, in native memory if ranks of this node reach the part
   * @param data elements to combine them with, packed; null for NO_OP
   * @param result receives the elements as they were before, packed; may be null, or {@code data}
   */
  boolean combineScattered(
      long position, LocalPart.Place at, long count, Plan plan, Combination how, MemorySegment data,
      MemorySegment result) {
    if (stripes == null) {
      return false;
    }
    ScatteredElements.combine(stripes, block, position, at.offset(), count, plan, how,
        data == null ? null : (from, bytes, to) -> Raw.copy(Raw.address(data) + from, to, bytes),
        result == null ? null : (packed, from, bytes) -> Raw.copy(packed, Raw.address(result) + from, bytes));
    return true;
  }

  /** Releases the locks that {@link #lock} has acquired. */
  void unlock(long set) {
    Stripes.unlockAll(block, set);
  }
}
