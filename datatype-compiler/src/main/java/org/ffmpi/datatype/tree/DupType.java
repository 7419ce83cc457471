// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** A duplicate ({@code MPI_Type_dup}). */
public record DupType(TypeTree old) implements TypeConstructor.OfOne {
  @Override
  public Combiner combiner() {
    return Combiner.DUP;
  }

  @Override
  public Bounds bounds() {
    return old.bounds();
  }

  @Override
  public ByteShape shape() {
    return old.shape();
  }
}
