// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_create_indexed_block}: blocks of one length at displacements in elements. */
record IndexedBlock(long blocklength, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  IndexedBlock {
    Arguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.INDEXED_BLOCK;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklength, displacements, old.bounds().extent(), old);
  }

  @Override
  public Shape shape() {
    return Shapes.scatter(Shapes.inBytes(displacements, blocklength, old.bounds().extent()), blocklength, old);
  }
}
