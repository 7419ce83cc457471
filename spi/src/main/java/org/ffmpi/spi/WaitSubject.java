// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/** The subject of a wait that can describe itself: an operation, or a condition that knows its call. */
public interface WaitSubject {
  /**
   * Describes the missing event. Called by a thread that has waited for long, while others may advance the subject;
   * neither waits nor throws. A description that is wrong because of a race is replaced by the next one.
   *
   * @param note gets the description; one without a description stays as it is
   */
  void describe(WaitNote note);
}
