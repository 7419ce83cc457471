// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/** The port through which a rank reports how far its program is, to a launcher that shows it. Any thread. */
public interface WorkReport {
  /**
   * Reports how far the program is. Neither waits nor throws; does nothing once the rank has left.
   *
   * @param what what the program is doing
   * @param done how much of it is done, not negative
   * @param total how much there is, not less than {@code done}; 0 when that is not known
   */
  void report(String what, long done, long total);
}
