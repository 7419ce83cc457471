// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.spi.Operation;

/**
 * Accesses to parts that this rank does not reach by loads and stores, such as Java arrays: their owner serves them
 * whenever it makes progress. Callers have checked the positions. A call starts an access; {@link Completion} waits for
 * it.
 */
interface RemoteAccess extends Completion {
  /** Writes elements into a part. */
  void put(BufImpl<?> origin, int target, long position, long count, Plan plan);

  /** Reads elements of a part. */
  void get(BufImpl<?> origin, int target, long position, long count, Plan plan);

  /**
   * Combines elements with those of a part.
   *
   * @param origin null for NO_OP
   * @param result receives the elements as they were before; may be null
   */
  void combine(
      BufImpl<?> origin, BufImpl<?> result, int target, long position, long count, Plan plan, Combination how);

  /** Replaces one element of a part if it is equal to another; the result receives it as it was before. */
  void compareAndSwap(
      BufImpl<?> origin, BufImpl<?> compare, BufImpl<?> result, int target, long position, AccumulateUnit unit);

  /** Returns an operation that completes when all pending accesses to a target are complete at the origin; or null. */
  Operation pending(int target);

  /** Stops serving. Requires that all ranks have completed their accesses. */
  void close();
}
