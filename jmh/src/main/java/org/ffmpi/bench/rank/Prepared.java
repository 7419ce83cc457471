// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.function.DoubleUnaryOperator;

/**
 * A point ready to be measured: its buffers exist, and nothing has been sent.
 *
 * @param loop the work that is repeated and timed
 * @param unit unit of the values
 * @param value turns seconds per iteration into a value
 * @param check runs the loop once, outside of all timing, and throws if the payload did not arrive
 */
record Prepared(WorkProgram.Loop loop, String unit, DoubleUnaryOperator value, Runnable check) {
  /** Returns a point whose value is the microseconds of one of the calls of an iteration; half round trips count. */
  static Prepared micros(WorkProgram.Loop loop, int calls, Runnable check) {
    return new Prepared(loop, "us", seconds -> seconds / calls * 1e6, check);
  }
}
