// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;

/**
 * Where the parts of all ranks lie. A <em>position</em> is a byte of a part: counted from its beginning, or an address
 * at the target for dynamic windows.
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
   * Returns where in this process a position that has been checked lies, or 0 when its owner has to be asked.
   *
   * @param low where the data of the first element begin, from the position
   */
  abstract long address(int target, long position, long low);

  /** Throws when a part has not all bytes between two positions. */
  abstract void check(int target, long disp, long count, long first, long end);

  /** Returns the position that a displacement names, once elements there are known to lie inside the part. */
  final long position(int target, long disp, long count, Plan plan) {
    return position(target, disp, count, plan.extent(), plan.trueLowerBound(), plan.trueExtent());
  }

  /**
   * Returns the position that a displacement names, once elements there are known to lie inside the part.
   *
   * @param count number of elements
   * @param extent distance of the elements
   * @param low where the data of the first one begin, from its position
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
