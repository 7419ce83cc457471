// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.List;
import org.ffmpi.datatype.plan.PlanCompiler;

/**
 * The bytes of memory of an element, in typemap order. A type tree is lowered to a shape, and a plan is compiled from
 * one. A shape has no basic types, only runs of bytes. Displacements and strides are in bytes, of any sign; runs may be
 * empty and may overlap.
 *
 * <p>Type trees build it without regard to speed; {@link PlanCompiler} brings it into normal form.
 */
public sealed interface ByteShape {

  /**
   * Bytes side by side.
   *
   * @param displacement where they begin
   * @param bytes how many; not negative
   */
  record Run(long displacement, long bytes) implements ByteShape {}

  /**
   * Copies of a shape at equal distances.
   *
   * @param displacement added to all displacements of the first copy
   * @param count number of copies; not negative
   * @param stride distance from one copy to the next
   * @param body the repeated shape
   */
  record Repeat(long displacement, long count, long stride, ByteShape body) implements ByteShape {}

  /**
   * Blocks of copies of a shape at any distances: block {@code i} is {@code counts[i]} copies, {@code stride} apart,
   * the first of them displaced by {@code displacements[i]}. The arrays belong to the shape and are never written.
   *
   * @param displacements one for each block
   * @param counts as many; none negative
   * @param stride distance between the copies in a block
   * @param body the repeated shape
   */
  record Scatter(long[] displacements, long[] counts, long stride, ByteShape body) implements ByteShape {}

  /**
   * Blocks of copies of different shapes: block {@code i} is {@code counts[i]} copies of body {@code k = kinds[i]},
   * {@code strides[k]} apart, the first of them displaced by {@code displacements[i]}. A sequence of repetitions would
   * be the same with objects for each; structs may have a million members. The arrays belong to the shape and are
   * never written.
   *
   * @param displacements one for each block
   * @param counts as many; none negative
   * @param kinds as many: which of the bodies is repeated
   * @param strides one for each body: distance between its copies in a block
   * @param bodies the repeated shapes
   */
  record Members(long[] displacements, long[] counts, int[] kinds, long[] strides, ByteShape[] bodies)
      implements ByteShape {}

  /**
   * Different shapes one after the other.
   *
   * @param parts in typemap order
   */
  record Sequence(List<ByteShape> parts) implements ByteShape {}
}
