// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_vector}: blocks at a stride in elements. */
record Vector(long count, long blocklength, long stride, TypeTree old) implements TypeConstructor.OfOne {
  Vector {
    Arguments.count("count", count);
    Arguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.VECTOR;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.strided(count, blocklength, stride, old.bounds().extent(), old);
  }

  @Override
  public Shape shape() {
    return Shapes.blocks(count, blocklength, count <= 1 ? 0 : stride * old.bounds().extent(), old);
  }
}
