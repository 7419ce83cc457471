// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.datatype.reduce.WordKernel;

/**
 * The operation of an accumulating call on one unit of its type.
 *
 * @param op the operation
 * @param unit the predefined type of which all elements consist
 * @param kernel combines units; null for REPLACE and NO_OP
 * @param word combines single units; null where there is no such kernel
 */
record Combination(PredefinedOp op, AccumulateUnit unit, ReduceKernel kernel, WordKernel word) {
  /** Returns the combination of an operation and a unit. Throws ERR_OP when the operation is not defined for it. */
  static Combination of(PredefinedOp op, AccumulateUnit unit) {
    return new Combination(op, unit, unit.kernel(op), unit.wordKernel(op));
  }

  /** Combines contiguous units without gaps. */
  void apply(long from, long place, long bytes) {
    if (kernel != null) {
      kernel.reduce(from, place, bytes / unit.size());
    } else if (op == PredefinedOp.REPLACE) {
      Raw.copy(from, place, bytes);
    }
  }
}
