// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Copies side by side ({@code MPI_Type_contiguous}). */
public record ContiguousType(long count, TypeTree old) implements TypeConstructor.OfOne {
  public ContiguousType {
    TypeArguments.count("count", count);
  }

  @Override
  public Combiner combiner() {
    return Combiner.CONTIGUOUS;
  }

  @Override
  public Bounds bounds() {
    BoundsSum sum = new BoundsSum();
    try {
      sum.addSize(old.bounds(), count);
      if (count > 0) {
        sum.addBlock(old.bounds(), 0, count);
      }
      return sum.toBounds();
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany("count", count);
    }
  }

  @Override
  public ByteShape shape() {
    return TreeShapes.repeat(0, count, old.bounds().extent(), old.shape());
  }
}
