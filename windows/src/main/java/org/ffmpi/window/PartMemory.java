// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/** Updates elements of a part in memory of any kind, for {@link PartService}. */
final class PartMemory {
  private static final long TILE = 8192;

  private PartMemory() {}

  /** Writes elements. Returns false when this thread may not access the memory. */
  static boolean put(LocalPart.Place to, long count, Plan plan, byte[] data) {
    if (!to.isAccessible()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      long stream = Raw.address(arena.allocate(data.length + 1, 64));
      Memory.read(Memory.BYTES, data, 0, stream, data.length);
      plan.unpack(stream, to.kind(), to.owner(), to.offset(), count, 0, data.length);
    }
    return true;
  }

  /**
   * Combines elements.
   *
   * @param data elements to combine them with, packed; null for NO_OP
   * @param result receives the elements as they were before, packed; may be null
   */
  static void combine(
      LocalPart.Place at, long count, Plan plan, Combination how, MemorySegment data, MemorySegment result) {
    long total = plan.packedBytes(count);
    long size = how.unit().size();
    long extent = how.unit().extent();
    long most = Math.max(1, TILE / extent) * size;
    try (Arena arena = Arena.ofConfined()) {
      long stream = Raw.address(arena.allocate(most, 64));
      long room = most / size * extent;
      long mine = Raw.address(arena.allocate(room, 64));
      long theirs = Raw.address(arena.allocate(room, 64));
      for (long from = 0; from < total; from += most) {
        long n = Math.min(most, total - from);
        plan.pack(at.kind(), at.owner(), at.offset(), count, from, n, stream);
        if (result != null) {
          Raw.copy(stream, Raw.address(result) + from, n);
        }
        if (data != null) {
          apply(how, Raw.address(data) + from, stream, n, theirs, mine);
          plan.unpack(stream, at.kind(), at.owner(), at.offset(), count, from, n);
        }
      }
    }
  }

  /** Combines packed units; those with gaps are unpacked for the kernel. */
  private static void apply(Combination how, long data, long stream, long n, long theirs, long mine) {
    if (how.unit().isDense() || how.kernel() == null) {
      how.apply(data, stream, n);
      return;
    }
    Plan unit = how.unit().plan();
    long units = n / unit.size();
    unit.unpack(data, Memory.NATIVE, null, theirs, units, 0, n);
    unit.unpack(stream, Memory.NATIVE, null, mine, units, 0, n);
    how.kernel().reduce(theirs, mine, units);
    unit.pack(Memory.NATIVE, null, mine, units, 0, n, stream);
  }

  /** Replaces an element if it equals another; {@code data} has the new element, then the other one. */
  static void swap(LocalPart.Place at, Plan plan, byte[] data, int size, MemorySegment result) {
    if (data == null || data.length != 2 * size) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window to swap without two elements");
    }
    long was = Raw.address(result);
    plan.pack(at.kind(), at.owner(), at.offset(), 1, 0, size, was);
    try (Arena arena = Arena.ofConfined()) {
      long both = Raw.address(arena.allocate(2L * size, 16));
      Memory.read(Memory.BYTES, data, 0, both, 2L * size);
      if (Raw.equal(was, both + size, size)) {
        plan.unpack(both, at.kind(), at.owner(), at.offset(), 1, 0, size);
      }
    }
  }
}
