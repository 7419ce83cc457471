// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks at a stride in elements ({@code MPI_Type_vector}). */
public record VectorType(long count, long blocklength, long stride, TypeTree old) implements TypeConstructor.OfOne {
  public VectorType {
    TypeArguments.count("count", count);
    TypeArguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.VECTOR;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.strided(count, blocklength, stride, old.bounds().extent(), old.bounds());
  }

  @Override
  public ByteShape shape() {
    long extent = old.bounds().extent();
    return TreeShapes.blocks(count, blocklength, count <= 1 ? 0 : stride * extent, extent, old.shape());
  }
}
