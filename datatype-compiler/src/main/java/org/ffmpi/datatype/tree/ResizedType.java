// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** The data of the old type between other bounds ({@code MPI_Type_create_resized}). */
public record ResizedType(long lowerBound, long extent, TypeTree old) implements TypeConstructor.OfOne {
  @Override
  public Combiner combiner() {
    return Combiner.RESIZED;
  }

  @Override
  public Bounds bounds() {
    Bounds data = old.bounds();
    long upperBound;
    try {
      upperBound = Math.addExact(lowerBound, extent);
    } catch (ArithmeticException e) {
      throw TypeArguments.tooFar("extent", extent);
    }
    return new Bounds(
        data.size(), lowerBound, upperBound, data.trueLowerBound(), data.trueUpperBound(), data.alignment(), true);
  }

  @Override
  public ByteShape shape() {
    return old.shape();
  }
}
