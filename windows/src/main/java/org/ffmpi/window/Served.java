// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.spi.Operation;

/**
 * Accesses to parts that only their owner reaches, such as Java arrays: it is asked by messages and serves them
 * whenever it makes progress. Positions are checked. An access that has returned is under way; {@link Completion} waits
 * for it.
 */
interface Served extends Completion {
  /** Writes elements into a part. */
  void put(BufImpl<?> origin, int target, long position, long count, Plan plan);

  /** Reads elements of a part. */
  void get(BufImpl<?> origin, int target, long position, long count, Plan plan);

  /**
   * Combines elements with those of a part.
   *
   * @param origin null where nothing is combined
   * @param result receives what was there; null where nobody asks
   */
  void combine(
      BufImpl<?> origin, BufImpl<?> result, int target, long position, long count, Plan plan, Combination how);

  /** Replaces one element of a part if it is equal to another; the result is what was there. */
  void compareAndSwap(
      BufImpl<?> origin, BufImpl<?> compare, BufImpl<?> result, int target, long position, AccumulateUnit unit);

  /** Returns what is complete when the access to a target that this rank has begun last is complete here; or null. */
  Operation latest(int target);

  /** Serves nobody any more. All ranks have completed what they had begun. */
  void end();
}
