// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

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
    boolean found = OverlapSearch.overlaps(Patterns.loop(count, core.extent, core.element));
    // Another thread may have found out more meanwhile; what is forgotten is only computed again.
    if (found) {
      foundFrom = count;
    } else {
      freeUpTo = count;
    }
    return found;
  }
}
