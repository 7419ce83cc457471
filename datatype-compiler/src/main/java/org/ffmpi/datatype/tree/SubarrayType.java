// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** A part of an array of several dimensions, with the bounds of the whole array ({@code MPI_Type_create_subarray}). */
public record SubarrayType(Longs sizes, Longs subsizes, Longs starts, Datatype.Order order, TypeTree old)
    implements TypeConstructor.OfOne {
  public SubarrayType {
    ArrayGrid.checkDimensions("sizes", sizes);
    TypeArguments.sameLength("subsizes", subsizes.length(), "sizes", sizes.length());
    TypeArguments.sameLength("starts", starts.length(), "sizes", sizes.length());
    for (int d = 0; d < sizes.length(); d++) {
      TypeArguments.inRange("subsizes[" + d + "]", subsizes.get(d), 1, sizes.get(d));
      TypeArguments.inRange("starts[" + d + "]", starts.get(d), 0, sizes.get(d) - subsizes.get(d));
    }
  }

  @Override
  public Combiner combiner() {
    return Combiner.SUBARRAY;
  }

  @Override
  public Bounds bounds() {
    ArrayGrid grid = ArrayGrid.of("sizes", sizes, order, old.bounds());
    return grid.bounds(subsizes::get, starts::get, d -> starts.get(d) + subsizes.get(d) - 1);
  }

  @Override
  public ByteShape shape() {
    ArrayGrid grid = ArrayGrid.of("sizes", sizes, order, old.bounds());
    ByteShape shape = old.shape();
    for (int d : grid.fastestFirst()) {
      shape = TreeShapes.repeat(starts.get(d) * grid.stride(d), subsizes.get(d), grid.stride(d), shape);
    }
    return shape;
  }
}
