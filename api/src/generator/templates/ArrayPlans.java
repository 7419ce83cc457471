// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/** The plans of bare arrays, as constants that the compiler can fold. Generated. */
public final class ArrayPlans {
  private ArrayPlans() {}

  //for-each
  public static final Plan @kind@ = TypeHandle.planOf(Datatype.@type@);
  //end
}
