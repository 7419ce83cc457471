// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/** This rank's part of a window, as far as {@link PartService} serves it. */
interface OwnPart {
  /**
   * Memory of any kind.
   *
   * @param kind kind of the memory
   * @param owner array or segment
   * @param offset where, by the rules of {@code kind}
   */
  record Place(int kind, Object owner, long offset) {
    /** Returns whether this thread may touch the memory: not that of another thread's confined arena. */
    boolean isTouchable() {
      return Memory.accessibleByCurrentThread(kind, owner);
    }
  }

  /**
   * Finds elements. What other ranks ask for is not trusted.
   *
   * @throws MpiException ERR_RMA_RANGE when not all of them are in the part
   */
  Place locate(long position, long count, Plan plan);

  /** A part that has been there since the window was made. */
  record Fixed(int kind, Object owner, long start, long bytes) implements OwnPart {
    @Override
    public Place locate(long position, long count, Plan plan) {
      plan.packedBytes(count);
      Memory.checkBounds(
          "window", bytes, position, count, plan.extent(), plan.trueLowerBound(), plan.trueExtent());
      return new Place(kind, owner, start + position);
    }
  }
}
