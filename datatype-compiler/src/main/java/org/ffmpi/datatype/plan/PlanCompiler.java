// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;

/**
 * Turns shapes into plans. It brings a shape into normal form and reuses the plan of an equal form and extent if there
 * is one. Called by commit, in any thread.
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

  /**
   * Reads a measure of the plans of this process.
   *
   * @param measure {@link Measure#PLAN_HITS}, {@link Measure#PLAN_MISSES} or {@link Measure#PLANS}
   * @return its value
   */
  public static long read(Measure measure) {
    return switch (measure) {
      case PLAN_HITS -> CACHE.hits();
      case PLAN_MISSES -> CACHE.misses();
      case PLANS -> CACHE.size();
      default -> throw new IllegalArgumentException(measure + " is no measure of plans");
    };
  }

  /** Compiles a normal form, or null for elements without bytes; overflow is an ArithmeticException. */
  static Plan compile(PlacedPattern element, long extent) {
    return CACHE.plan(element, extent);
  }
}
