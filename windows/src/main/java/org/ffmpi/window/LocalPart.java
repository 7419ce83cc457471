// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;

/** This rank's part of a window, in which {@link PartService} serves accesses. */
interface LocalPart {
  /**
   * A place in memory of any kind.
   *
   * @param kind kind of the memory
   * @param owner array or segment
   * @param offset offset in the owner, or address, by {@code kind}
   */
  record Place(int kind, Object owner, long offset) {
    /**
     * Returns whether this thread may access the memory: not if it belongs to another thread's confined arena.
     *
     * @throws MpiException ERR_BUFFER when its arena has been closed
     */
    boolean isAccessible() {
      if (!Memory.isAlive(owner)) {
        throw new MpiException(
            ErrorClass.ERR_BUFFER, "window: the target has closed the arena of its part, " + owner);
      }
      return Memory.accessibleByCurrentThread(kind, owner);
    }
  }

  /**
   * Returns the place of elements that another rank has requested, and checks that they lie in the part.
   *
   * @throws MpiException ERR_RMA_RANGE when not all of them do
   */
  Place locate(long position, long count, Plan plan);

  /** The part of a window that is not dynamic. */
  record Fixed(int kind, Object owner, long start, long bytes) implements LocalPart {
    @Override
    public Place locate(long position, long count, Plan plan) {
      plan.packedBytes(count);
      Memory.checkBounds(
          "window", bytes, position, count, plan.extent(), plan.trueLowerBound(), plan.trueExtent());
      return new Place(kind, owner, start + position);
    }
  }
}
