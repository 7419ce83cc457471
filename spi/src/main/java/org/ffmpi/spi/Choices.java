// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.function.BooleanSupplier;

/**
 * The port where a choice between several right outcomes is made in calls on lists of requests. An engine without it
 * takes what comes first. One that records, replays or explores orders implements it. Such an engine gets all other
 * choices through its own calls: {@link Engine#test} is called for complete operations, too, and windows are accessed
 * by messages, so that their order is that of receives from any peer.
 *
 * <p>All arrays may hold null entries, which are ignored; of each array the first {@code length} entries count. An
 * operation that is chosen is complete. Errors are those of {@link Engine#awaitAny}.
 */
public interface Choices {
  /**
   * Chooses the operation that {@code waitAny} or {@code testAny} reports.
   *
   * @param operations the active operations
   * @param length how many entries count
   * @param wait whether to block until there is one
   * @return its index; -1 when none is to be reported, only without {@code wait}
   */
  int any(Operation[] operations, int length, boolean wait);

  /**
   * Chooses the operations that {@code waitSome} or {@code testSome} reports.
   *
   * @param operations the active operations; those that are not to be reported are replaced by null
   * @param length how many entries count
   * @param wait whether to block until there is one
   */
  void some(Operation[] operations, int length, boolean wait);

  /**
   * Chooses whether {@code testAll} sees that all operations are complete.
   *
   * @param operations the active operations
   * @param length how many entries count
   * @return true when all are complete and that is to be reported
   */
  boolean all(Operation[] operations, int length);

  /**
   * Chooses whether a call sees what it looks for, one that is neither an operation nor a message.
   *
   * @param isThere looks, after some progress; has no other effect, and may be called any number of times
   * @return true when it is there and that is to be reported
   */
  boolean look(BooleanSupplier isThere);
}
