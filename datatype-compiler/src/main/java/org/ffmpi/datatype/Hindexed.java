// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_create_hindexed}: blocks of different length at displacements in bytes. */
record Hindexed(Longs blocklengths, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  Hindexed {
    Arguments.notNegative("blocklengths", blocklengths);
    Arguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
  }

  @Override
  public Combiner combiner() {
    return Combiner.HINDEXED;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklengths, displacements, 1, old);
  }

  @Override
  public Shape shape() {
    return Shapes.scatter(displacements.shared(), blocklengths.shared(), old);
  }
}
