// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Whether elements name a byte twice, remembered: a number of elements does when a smaller number does. */
final class Overlap {
  private final Compiled core;
  private volatile long freeUpTo;
  private volatile long foundFrom = Long.MAX_VALUE;

  Overlap(Compiled core) {
    this.core = core;
  }

  boolean of(long count) {
    if (core.element == null || count <= freeUpTo) {
      return false;
    }
    if (count >= foundFrom) {
      return true;
    }
    boolean found = search(count);
    // Another thread may have found out more meanwhile; what is forgotten is only computed again.
    if (found) {
      foundFrom = count;
    } else {
      freeUpTo = count;
    }
    return found;
  }

  private boolean search(long count) {
    try {
      return OverlapSearch.overlaps(Patterns.loop(count, core.extent, core.element));
    } catch (ArithmeticException e) {
      throw MpiException.argument(
          ErrorClass.ERR_COUNT, "count", count, "a number of elements whose data span less than 2^63 bytes");
    }
  }
}
