// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;

/** Checks the target count and type of an access. */
final class TargetType {
  private TargetType() {}

  /**
   * Returns the plan of the target's elements. Throws when their data are not as long as the origin's or, where
   * everything is checked, of other basic types.
   */
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
      if (state.world.isChecking()) {
        checkTypes(plan, type, origin);
      }
    } catch (MpiException e) {
      throw state.raise(e);
    }
    return plan;
  }

  /** Throws when the basic types of the target's elements are not those of the origin's. */
  private static void checkTypes(Plan plan, Datatype<?> type, BufImpl<?> origin) {
    StreamSignature there = plan.signature();
    StreamSignature here = origin.plan().signature();
    long bytes = origin.packedBytes();
    if (there != null && here != null && !there.matchesAnything() && !here.matchesAnything()
        && there.hash(bytes) != here.hash(bytes)) {
      throw new MpiException(ErrorClass.ERR_TYPE, "type = " + type + ": elements of (" + there.text(bytes)
          + ") at the target, but of (" + here.text(bytes) + ") at the origin");
    }
  }
}
