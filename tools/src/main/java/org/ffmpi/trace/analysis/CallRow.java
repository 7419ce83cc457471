// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import org.ffmpi.trace.model.CallKind;

/**
 * All calls of one name at one place of the program, over all ranks. Times are nanoseconds.
 *
 * @param kind what they do
 * @param name their name
 * @param site the place in the program; null where it is not known
 * @param count how many there are
 * @param bytes what they sent, received or contributed
 * @param time how long they took together
 * @param longest how long the longest took
 * @param waited how long they waited together
 * @param cause the lane of the rank that most of the waiting is for, -1 where none is known
 * @param causeWaited how long they waited for that rank
 */
public record CallRow(
    CallKind kind, String name, String site, long count, long bytes, long time, long longest, long waited, int cause,
    long causeWaited) {
  /**
   * Returns how long a call takes on average.
   *
   * @return nanoseconds
   */
  public long mean() {
    return count == 0 ? 0 : time / count;
  }

  /**
   * Returns the call with its place.
   *
   * @return {@code allreduce at Jacobi.java:71}
   */
  public String where() {
    return site == null ? name : name + " at " + site;
  }
}
