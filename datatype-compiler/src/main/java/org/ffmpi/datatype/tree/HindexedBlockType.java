// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks of one length at displacements in bytes ({@code MPI_Type_create_hindexed_block}). */
public record HindexedBlockType(long blocklength, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  public HindexedBlockType {
    TypeArguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.HINDEXED_BLOCK;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklength, displacements, 1, old.bounds());
  }

  @Override
  public ByteShape shape() {
    return TreeShapes.scatter(displacements.shared(), blocklength, old.bounds().extent(), old.shape());
  }
}
