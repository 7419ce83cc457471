// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_dup}. */
record Dup(TypeTree old) implements TypeConstructor.OfOne {
  @Override
  public Combiner combiner() {
    return Combiner.DUP;
  }

  @Override
  public Bounds bounds() {
    return old.bounds();
  }

  @Override
  public Shape shape() {
    return old.shape();
  }
}
