// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/** What a thread waits for, as far as it can say so: an operation, or a condition that knows its call. */
public interface WaitSubject {
  /**
   * Describes what is missing. Called by a thread that has waited for long, while others may advance the subject: reads
   * what is there, waits for nothing and throws nothing. A description that is wrong because of a race is replaced by
   * the next one.
   *
   * @param note gets the description; one without a description stays as it is
   */
  void describe(WaitNote note);
}
