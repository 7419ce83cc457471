// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.CollectiveCall;

/** Access to the parts of {@link Op} that no program sees; {@link Op} registers it. */
public abstract class OpAccess {
  private static OpAccess operations;

  /** Creates the access of {@link Op}. */
  protected OpAccess() {}

  /** Called once, when {@link Op} is initialized. */
  public static void register(OpAccess access) {
    operations = access;
  }

  /**
   * Returns the kernel of an operation for elements of a type. Throws ERR_OP when the operation is not defined for the
   * type or has been freed, ERR_TYPE when the type is null.
   */
  public static ReduceKernel kernel(Op<?> op, Datatype<?> type) {
    return operations.kernelOf(op, type);
  }

  /**
   * Describes an operation on elements of a type.
   *
   * @param call gets the kernel
   * @return false when the operation is not defined for the type, or has been freed
   */
  static boolean describe(Op<?> op, Datatype<?> type, CollectiveCall call) {
    return operations.describeOf(op, type, call);
  }

  /** Returns the predefined operation, or null for a program's own. */
  public static PredefinedOp predefined(Op<?> op) {
    return operations.predefinedOf(op);
  }

  /** See {@link #predefined}. */
  protected abstract PredefinedOp predefinedOf(Op<?> op);

  /** See {@link #describe}. */
  protected abstract boolean describeOf(Op<?> op, Datatype<?> type, CollectiveCall call);

  /** See {@link #kernel}. */
  protected abstract ReduceKernel kernelOf(Op<?> op, Datatype<?> type);
}
