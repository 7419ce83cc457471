// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;

/**
 * The parts of all ranks. A <em>position</em> is a byte of a part: its offset, or in dynamic windows its address at the
 * target.
 */
abstract sealed class WindowTable permits FixedTable, DynamicTable {
  private final int[] units;

  WindowTable(int[] units) {
    this.units = units;
  }

  /** Returns the displacement unit of a part. */
  final int unit(int rank) {
    return units[rank];
  }

  /** Returns the size of a part in bytes. */
  abstract long bytes(int rank);

  /**
   * Returns the address in this process of a position that has been checked; 0 when this rank does not reach it.
   *
   * @param low offset of the first element's data from the position
   */
  abstract long address(int target, long position, long low);

  /** Throws when a part does not contain all bytes between two positions. */
  abstract void check(int target, long disp, long count, long first, long end);

  /** Returns the position of a displacement. Throws when elements there do not lie inside the part. */
  final long position(int target, long disp, long count, Plan plan) {
    return position(target, disp, count, plan.extent(), plan.trueLowerBound(), plan.trueExtent());
  }

  /**
   * Returns the position of a displacement. Throws when elements there do not lie inside the part.
   *
   * @param count number of elements
   * @param extent distance of the elements
   * @param low offset of the first one's data from its position
   * @param span bytes from the first to the last byte of its data
   */
  final long position(int target, long disp, long count, long extent, long low, long span) {
    if (disp < 0) {
      throw MpiException.argument(ErrorClass.ERR_DISP, "disp", disp, "0 or more");
    }
    try {
      long at = Math.multiplyExact(disp, (long) units[target]);
      if (count != 0 && span != 0) {
        long lastOrigin = Math.multiplyExact(count - 1, extent);
        long first = Math.addExact(Math.addExact(at, low), Math.min(0, lastOrigin));
        long end = Math.addExact(Math.addExact(Math.addExact(at, low), span), Math.max(0, lastOrigin));
        check(target, disp, count, first, end);
      }
      return at;
    } catch (ArithmeticException e) {
      throw outside(target, disp, count, "bytes that no memory has", "");
    }
  }

  static MpiException outside(int target, long disp, long count, String where, String has) {
    return new MpiException(
        ErrorClass.ERR_RMA_RANGE, "disp = " + disp + ": " + count + (count == 1 ? " element needs " : " elements need ")
            + where + " of rank " + target + "'s part" + has);
  }
}
