// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_create_hvector}: blocks at a stride in bytes. */
record Hvector(long count, long blocklength, long stride, TypeTree old) implements TypeConstructor.OfOne {
  Hvector {
    Arguments.count("count", count);
    Arguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.HVECTOR;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.strided(count, blocklength, stride, 1, old);
  }

  @Override
  public Shape shape() {
    return Shapes.blocks(count, blocklength, stride, old);
  }
}
