// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_create_hindexed_block}: blocks of one length at displacements in bytes. */
record HindexedBlock(long blocklength, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  HindexedBlock {
    Arguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.HINDEXED_BLOCK;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklength, displacements, 1, old);
  }

  @Override
  public Shape shape() {
    return Shapes.scatter(displacements.shared(), blocklength, old);
  }
}
