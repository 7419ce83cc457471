// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_indexed}: blocks of different length at displacements in elements. */
record Indexed(Longs blocklengths, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  Indexed {
    Arguments.notNegative("blocklengths", blocklengths);
    Arguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
  }

  @Override
  public Combiner combiner() {
    return Combiner.INDEXED;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklengths, displacements, old.bounds().extent(), old);
  }

  @Override
  public Shape shape() {
    long[] bytes = Shapes.inBytes(displacements, blocklengths, old.bounds().extent());
    return Shapes.scatter(bytes, blocklengths.shared(), old);
  }
}
