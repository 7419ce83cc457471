// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.List;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/** A value and its index as in a C struct, where MPI has no pair of that name ({@code MPI_Type_get_value_index}). */
public record ValueIndexType(TypeTree value, TypeTree index) implements TypeConstructor {
  @Override
  public Combiner combiner() {
    return Combiner.VALUE_INDEX;
  }

  /** Returns where the index lies. */
  public long indexDisplacement() {
    return Math.ceilDiv(value.bounds().extent(), index.bounds().alignment()) * index.bounds().alignment();
  }

  @Override
  public Bounds bounds() {
    BoundsSum sum = new BoundsSum();
    sum.addSize(value.bounds(), 1);
    sum.addBlock(value.bounds(), 0, 1);
    sum.addSize(index.bounds(), 1);
    sum.addBlock(index.bounds(), indexDisplacement(), 1);
    return sum.toStructBounds();
  }

  @Override
  public ByteShape shape() {
    return new ByteShape.Sequence(List.of(value.shape(), TreeShapes.repeat(indexDisplacement(), 1, 0, index.shape())));
  }

  @Override
  public Signature signature(Bounds bounds) {
    return Signature.sequence(List.of(value.signature(), index.signature()));
  }

  @Override
  public List<TypeTree> components() {
    return List.of(value, index);
  }

  @Override
  public int arrays() {
    return value.arrays() & index.arrays();
  }
}
