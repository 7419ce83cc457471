// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Blocks of one length at displacements in elements ({@code MPI_Type_create_indexed_block}). */
public record IndexedBlockType(long blocklength, Longs displacements, TypeTree old) implements TypeConstructor.OfOne {
  public IndexedBlockType {
    TypeArguments.notNegative("blocklength", blocklength);
  }

  @Override
  public Combiner combiner() {
    return Combiner.INDEXED_BLOCK;
  }

  @Override
  public Bounds bounds() {
    return BlockBounds.scattered(blocklength, displacements, old.bounds().extent(), old.bounds());
  }

  @Override
  public ByteShape shape() {
    long extent = old.bounds().extent();
    return TreeShapes.scatter(
        TreeShapes.inBytes(displacements, blocklength, extent), blocklength, extent, old.shape());
  }
}
