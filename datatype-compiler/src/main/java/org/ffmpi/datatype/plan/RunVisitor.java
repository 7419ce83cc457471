// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Is shown the runs of bytes that elements are made of, see {@link Plan#forEachRun}. */
@FunctionalInterface
public interface RunVisitor {
  /**
   * Takes notice of a run.
   *
   * @param displacement of its first byte from the first element's address
   * @param bytes its length, positive
   */
  void run(long displacement, long bytes);
}
