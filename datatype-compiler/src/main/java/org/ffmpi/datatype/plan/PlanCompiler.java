// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.ffmpi.datatype.plan.pattern.Placed;

/**
 * Turns shapes into plans: brings a shape into normal form, then looks for the plan that the same form and extent were
 * compiled to before. Called by commit, in any thread.
 */
public final class PlanCompiler {
  private static final PlanCache CACHE = new PlanCache();

  private PlanCompiler() {}

  /**
   * Compiles a shape.
   *
   * @param shape the bytes of one element
   * @param extent distance in memory from one element to the next
   * @return a plan that packs and unpacks elements of that shape, without signature; the same one for equal shapes and
   *     extents that were compiled lately
   * @throws MpiException ERR_ARG when sizes or displacements do not fit in 63 bits
   */
  public static Plan compile(ByteShape shape, long extent) {
    try {
      return compile(Lowering.lower(shape), extent);
    } catch (ArithmeticException e) {
      throw new MpiException(
          ErrorClass.ERR_ARG, "the datatype's data: allowed are sizes and displacements that fit in 63 bits", e);
    }
  }

  /** Compiles what is in normal form, or null for elements without bytes; overflow is an ArithmeticException. */
  static Plan compile(Placed element, long extent) {
    return CACHE.plan(element, extent);
  }
}
