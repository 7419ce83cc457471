// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks at a stride in bytes ({@code MPI_Type_create_hvector}). */
public record HvectorType(long count, long blocklength, long stride, TypeTree old) implements TypeConstructor.OfOne {
  public HvectorType {
    TypeArguments.count("count", count);
    TypeArguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.HVECTOR;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.strided(count, blocklength, stride, 1, old.bounds());
  }

  @Override
  public ByteShape shape() {
    return TreeShapes.blocks(count, blocklength, stride, old.bounds().extent(), old.shape());
  }
}
