// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks of different length at displacements in bytes ({@code MPI_Type_create_hindexed}). */
public record HindexedType(Longs blocklengths, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  public HindexedType {
    TypeArguments.notNegative("blocklengths", blocklengths);
    TypeArguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
  }

  @Override
  public Combiner combiner() {
    return Combiner.HINDEXED;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklengths, displacements, 1, old.bounds());
  }

  @Override
  public ByteShape shape() {
    return TreeShapes.scatter(displacements.shared(), blocklengths.shared(), old.bounds().extent(), old.shape());
  }
}
