// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.UserFunction;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/**
 * Calls a program's function on elements of one type. The function sees one class of segments only, so that it is
 * compiled well: native segments of an arena that ends with the call, so that later access fails. Dense elements in
 * aligned native memory are combined in place. All others go through two tiles that hold whole elements: arrays because
 * they are not native, and elements with gaps because the function must not change gaps, nor read a gap that ends
 * beyond the memory of the last element.
 */
final class UserKernel implements ReduceKernel {
  private static final long TILE_BYTES = 16 << 10;
  private static final long TILE_ALIGNMENT = 64;

  private final String name;
  private final UserFunction function;
  private final Datatype<?> type;
  private final Plan plan;
  private final long extent;
  private final long upperBound;
  private final long alignment;
  private final boolean dense;

  /**
   * Creates a kernel.
   *
   * @param name the operation's name for messages
   * @param function combines elements
   * @param type the committed type that the function receives
   */
  UserKernel(String name, UserFunction function, Datatype<?> type) {
    this.name = name;
    this.function = function;
    this.type = type;
    this.plan = TypeHandle.planOf(type);
    this.extent = plan.extent();
    this.upperBound = TypeHandle.of(type).tree().bounds().upperBound();
    this.alignment = TypeHandle.of(type).tree().bounds().alignment();
    this.dense = plan.isContiguous() && plan.trueLowerBound() == 0 && extent == plan.size();
  }

  @Override
  public void reduce(long in, long inout, long count) {
    reduce(in, null, Memory.NATIVE, inout, count);
  }

  @Override
  public void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
    if (count == 0 || plan.size() == 0) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      if (dense && arrayKind == Memory.NATIVE && isAligned(in | byteOffset)) {
        long bytes = count * extent;
        call(Raw.view(in, bytes, arena), Raw.view(byteOffset, bytes, arena), count);
      } else {
        reduceTiled(arena, in, array, arrayKind, byteOffset, count);
      }
    } finally {
      Reference.reachabilityFence(array);
    }
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    if (plan.size() > 0) {
      PlanKernel.combineCopied(this, plan, left, right, out, count);
    }
  }

  private boolean isAligned(long bits) {
    return (bits & (alignment - 1)) == 0;
  }

  private void reduceTiled(Arena arena, long in, Object owner, int kind, long offset, long count) {
    long chunk = Math.clamp(TILE_BYTES / Math.max(plan.trueExtent(), Math.abs(extent)), 1, count);
    Tile left = new Tile(arena, chunk);
    Tile right = new Tile(arena, chunk);
    long stream = isRun() ? 0 : Raw.address(arena.allocate(chunk * plan.size(), TILE_ALIGNMENT));
    for (long done = 0; done < count; done += chunk) {
      long elements = Math.min(chunk, count - done);
      left.read(Memory.NATIVE, null, in + done * extent, elements, stream);
      right.read(kind, owner, offset + done * extent, elements, stream);
      call(left.segment(elements), right.segment(elements), elements);
      plan.transfer(right.first, plan, elements, kind, owner, offset + done * extent, elements, 0,
          elements * plan.size());
    }
  }

  private boolean isRun() {
    return plan.isContiguous();
  }

  private void call(MemorySegment in, MemorySegment inout, long len) {
    boolean outermost = UserCalls.enter();
    try {
      function.apply(in.asReadOnly(), inout, len, type);
    } catch (MpiException e) {
      throw e;
    } catch (Throwable t) {
      throw new MpiException(ErrorClass.ERR_OTHER, "op: the function of the " + name + " has thrown " + t, t);
    } finally {
      UserCalls.leave(outermost);
    }
  }

  /** Room for some elements as they lie in a buffer. */
  private final class Tile {
    private final MemorySegment room;
    /** Address of the first element. */
    final long first;

    Tile(Arena arena, long elements) {
      room = arena.allocate(end(elements) - start(elements) + TILE_ALIGNMENT, TILE_ALIGNMENT);
      first = Raw.address(room) - start(elements) + TILE_ALIGNMENT - 1 & -TILE_ALIGNMENT;
    }

    /** Returns where the segment begins, counted from the first element. */
    private long start(long elements) {
      return Math.min(0, plan.trueLowerBound() + Math.min(0, (elements - 1) * extent));
    }

    /** Returns where the segment ends, counted from the first element. */
    private long end(long elements) {
      long ofData = plan.trueLowerBound() + plan.trueExtent();
      return Math.max(0, Math.max(ofData, upperBound) + Math.max(0, (elements - 1) * extent));
    }

    /** Fills in elements; {@code stream} has room for their packed form where that differs. */
    void read(int kind, Object owner, long offset, long elements, long stream) {
      long bytes = elements * plan.size();
      if (isRun()) {
        Memory.read(kind, owner, offset + plan.trueLowerBound(), first + plan.trueLowerBound(), bytes);
      } else {
        plan.pack(kind, owner, offset, elements, 0, bytes, stream);
        plan.unpack(stream, Memory.NATIVE, null, first, elements, 0, bytes);
      }
    }

    MemorySegment segment(long elements) {
      long start = first - Raw.address(room) + start(elements);
      return room.asSlice(start, end(elements) - start(elements));
    }
  }
}
