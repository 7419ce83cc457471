// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/** Combines packed units of one type. Kernels expect units with their gaps: those that have any are unpacked for it. */
final class PackedUnits {
  private final Combination how;
  /** Room for units with gaps; 0 where there are none. */
  private final long theirs;
  private final long mine;

  /**
   * Creates the combination.
   *
   * @param most most packed bytes of one call
   * @param arena owns the room for them
   */
  PackedUnits(Combination how, long most, Arena arena) {
    this.how = how;
    boolean apart = !how.unit().isDense() && how.kernel() != null;
    long room = apart ? most / how.unit().size() * how.unit().extent() : 0;
    this.theirs = apart ? Raw.address(arena.allocate(room, 64)) : 0;
    this.mine = apart ? Raw.address(arena.allocate(room, 64)) : 0;
  }

  /** Returns the packed bytes of as many whole units as fit in some memory, at least one. */
  static long fitting(Combination how, long room) {
    return Math.max(1, room / how.unit().extent()) * how.unit().size();
  }

  /** Combines units with others of the same number, in place. */
  void combine(long from, long place, long bytes) {
    if (theirs == 0) {
      how.apply(from, place, bytes);
      return;
    }
    Plan unit = how.unit().plan();
    long units = bytes / unit.size();
    unit.unpack(from, Memory.NATIVE, null, theirs, units, 0, bytes);
    unit.unpack(place, Memory.NATIVE, null, mine, units, 0, bytes);
    how.kernel().reduce(theirs, mine, units);
    unit.pack(Memory.NATIVE, null, mine, units, 0, bytes, place);
  }
}
