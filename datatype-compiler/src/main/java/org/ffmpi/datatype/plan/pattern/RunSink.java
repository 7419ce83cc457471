// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/** Receives the runs of a pattern, in typemap order. */
@FunctionalInterface
public interface RunSink {
  /**
   * Receives a run.
   *
   * @param displacement where it begins
   * @param bytes its length
   */
  void run(long displacement, long bytes);
}
