// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.datatype.plan.Plan;

/**
 * Keeps what {@link PartService} combines apart from what ranks of this node combine in the same part by themselves: it
 * takes the part's {@link Stripes} as they do. Where only the owner reaches the part there is nothing to take.
 */
final class PartGuard {
  /** For parts that only their owner reaches. */
  static final PartGuard NONE = new PartGuard(null, 0);

  /** Bytes of a long run that are combined at once. */
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
  static long most(long unit) {
    return Math.max(1, PIECE / unit) * unit;
  }

  /** Takes the locks of elements, of which there is at least one; returns which. */
  long lock(long position, long count, Plan plan) {
    if (stripes == null) {
      return 0;
    }
    long lastOrigin = (count - 1) * plan.extent();
    long first = position + plan.trueLowerBound() + Math.min(0, lastOrigin);
    long end = position + plan.trueLowerBound() + plan.trueExtent() + Math.max(0, lastOrigin);
    return stripes.lockAll(block, first, end);
  }

  /** Gives back what {@link #lock} has taken. */
  void unlock(long taken) {
    Stripes.unlockAll(block, taken);
  }
}
