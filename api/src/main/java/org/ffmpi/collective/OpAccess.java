// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;

/** Reads operations: {@link Op} registers here what it shows to no program. */
public abstract class OpAccess {
  private static OpAccess operations;

  /** Creates the access of {@link Op}. */
  protected OpAccess() {}

  /** Called once, when {@link Op} is initialized. */
  public static void register(OpAccess access) {
    operations = access;
  }

  /**
   * Returns what computes an operation on elements of a type. Throws ERR_OP when the operation is not defined for the
   * type or has been freed, ERR_TYPE when the type is null.
   */
  public static ReduceKernel kernel(Op<?> op, Datatype<?> type) {
    return operations.kernelOf(op, type);
  }

  /** Returns which predefined operation this is, or null for a program's own. */
  public static PredefinedOp predefined(Op<?> op) {
    return operations.predefinedOf(op);
  }

  /** See {@link #predefined}. */
  protected abstract PredefinedOp predefinedOf(Op<?> op);

  /** See {@link #kernel}. */
  protected abstract ReduceKernel kernelOf(Op<?> op, Datatype<?> type);
}
