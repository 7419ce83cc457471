// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/** Checks the target count and type of an access. */
final class TargetType {
  private TargetType() {}

  /** Returns the plan of the target's elements. Throws when their data are not as long as the origin's. */
  static Plan plan(WindowState state, long count, Datatype<?> type, BufImpl<?> origin) {
    if (type == null || type.isClosed() || !type.isCommitted()) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_TYPE, "type", type, "committed datatypes that have not been freed"));
    }
    if (count < 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "0 or more elements"));
    }
    Plan plan = TypeHandle.planOf(type);
    try {
      if (plan.packedBytes(count) != origin.packedBytes()) {
        throw new MpiException(ErrorClass.ERR_COUNT, "count = " + count + ": " + plan.packedBytes(count)
            + " bytes at the target, but " + origin.packedBytes() + " at the origin, of " + origin.count() + " x "
            + origin.type());
      }
    } catch (MpiException e) {
      throw state.raise(e);
    }
    return plan;
  }
}
