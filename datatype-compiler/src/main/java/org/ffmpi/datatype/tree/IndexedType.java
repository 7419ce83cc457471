// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks of different length at displacements in elements ({@code MPI_Type_indexed}). */
public record IndexedType(Longs blocklengths, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  public IndexedType {
    TypeArguments.notNegative("blocklengths", blocklengths);
    TypeArguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
  }

  @Override
  public Combiner combiner() {
    return Combiner.INDEXED;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklengths, displacements, old.bounds().extent(), old.bounds());
  }

  @Override
  public ByteShape shape() {
    long[] bytes = TreeShapes.inBytes(displacements, blocklengths, old.bounds().extent());
    return TreeShapes.scatter(bytes, blocklengths.shared(), old.bounds().extent(), old.shape());
  }
}
