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
   * @param result receives the elements as they were before, packed; may be null, or {@code data}
   */
  static void combine(
      LocalPart.Place at, long count, Plan plan, Combination how, MemorySegment data, MemorySegment result) {
    long total = plan.packedBytes(count);
    long most = Math.min(total, PackedUnits.fitting(how, TILE));
    try (Arena arena = Arena.ofConfined()) {
      PackedUnits units = new PackedUnits(how, most, arena);
      long mine = Raw.address(arena.allocate(most, 64));
      long copy = data != null && result != null ? Raw.address(arena.allocate(most, 64)) : 0;
      for (long from = 0; from < total; from += most) {
        long n = Math.min(most, total - from);
        plan.pack(at.kind(), at.owner(), at.offset(), count, from, n, mine);
        long theirs = data == null ? 0 : Raw.address(data) + from;
        if (copy != 0) {
          Raw.copy(theirs, copy, n); // the result may overwrite them
          theirs = copy;
        }
        if (result != null) {
          Raw.copy(mine, Raw.address(result) + from, n);
        }
        if (data != null) {
          units.combine(theirs, mine, n);
          plan.unpack(mine, at.kind(), at.owner(), at.offset(), count, from, n);
        }
      }
    }
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
