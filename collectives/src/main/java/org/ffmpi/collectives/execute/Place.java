// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.FlatBuffer;

/**
 * Memory that a slot is bound to, and the arithmetic that turns the units of a {@link Slice} into what an engine takes.
 * Reused for call after call; belongs to one {@link Execution}.
 *
 * <p>Three cases: units are elements (reductions); units are bytes of memory that is the packed stream; units are bytes
 * of a stream whose memory has gaps, and slices are whole elements, {@link #grain} bytes each.
 */
public final class Place {
  /** Bytes of any types: without a signature, since messages of whole buffers are compared, not their pieces. */
  static final Plan BYTES = TypeHandle.planOf(Datatype.BYTE).withSignature(null);

  int kind;
  Object owner;
  Plan plan;
  private long offset;
  private long stride;
  private long grain;

  /** Binds a user's buffer. */
  void bind(FlatBuffer buf, boolean unitsAreElements) {
    Plan type = buf.plan();
    kind = buf.kind();
    owner = buf.owner();
    offset = buf.offset();
    if (unitsAreElements) {
      bindUnits(type, type.extent(), 1);
    } else if (type.isContiguous()) {
      offset += type.trueLowerBound();
      bindUnits(BYTES, 1, 1);
    } else {
      bindUnits(type, type.extent(), type.size());
    }
  }

  /**
   * Binds native memory that {@code keeper} keeps alive; as elements of {@code elements}, or bytes when that is null.
   */
  void bind(Object keeper, long address, Plan elements) {
    kind = Memory.NATIVE;
    owner = keeper;
    offset = address;
    if (elements == null) {
      bindUnits(BYTES, 1, 1);
    } else {
      bindUnits(elements, elements.extent(), 1);
    }
  }

  private void bindUnits(Plan plan, long stride, long grain) {
    this.plan = plan;
    this.stride = stride;
    this.grain = grain;
  }

  /** Drops the memory. */
  void release() {
    kind = Memory.NATIVE;
    owner = null;
    plan = null;
    offset = 0;
  }

  /** Returns how finely a buffer can be cut when units are bytes; 1 for an absent one. */
  public static long grain(FlatBuffer buf) {
    Plan plan = buf.plan();
    return plan == null || plan.isContiguous() ? 1 : Math.max(1, plan.size());
  }

  /** Returns where a unit begins, by the rules of {@link #kind}. */
  long at(long from) {
    return grain == 1 ? offset + from * stride : offset + from / grain * stride;
  }

  /** Returns how many elements of {@link #plan} a number of units is. */
  long count(long units) {
    return grain == 1 ? units : units / grain;
  }

  /**
   * Returns the lowest byte that {@code count} elements touch, counted from the first element; {@code count} is not 0.
   */
  static long firstByte(Plan plan, long count) {
    return plan.trueLowerBound() + Math.min(0, (count - 1) * plan.extent());
  }

  /** Returns the byte after the highest that {@code count} elements touch, counted from the first element. */
  static long endByte(Plan plan, long count) {
    return plan.trueLowerBound() + plan.trueExtent() + Math.max(0, (count - 1) * plan.extent());
  }

  boolean hasAddress() {
    return kind == Memory.NATIVE || kind == Memory.CONFINED;
  }

  /** Returns the absolute address of a unit. Only where {@link #hasAddress}; confined memory only by its owner. */
  long address(long from) {
    if (kind == Memory.CONFINED) {
      MemorySegment segment = (MemorySegment) owner;
      if (!Memory.isAlive(owner) || !Memory.accessibleByCurrentThread(kind, owner)) {
        throw new MpiException(
            ErrorClass.ERR_BUFFER, "the buffer's confined arena has been closed or is another thread's");
      }
      return Raw.address(segment) + at(from);
    }
    return at(from);
  }
}
