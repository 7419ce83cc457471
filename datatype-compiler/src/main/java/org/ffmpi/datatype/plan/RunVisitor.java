// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Receives the runs of bytes of elements from {@link Plan#forEachRun}. */
@FunctionalInterface
public interface RunVisitor {
  /**
   * Receives a run.
   *
   * @param displacement of its first byte from the first element's address
   * @param bytes its length, positive
   */
  void run(long displacement, long bytes);
}
