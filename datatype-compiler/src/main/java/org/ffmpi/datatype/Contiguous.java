// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_contiguous}: copies side by side. */
record Contiguous(long count, TypeTree old) implements TypeConstructor.OfOne {
  Contiguous {
    Arguments.count("count", count);
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
      throw Arguments.tooMany("count", count);
    }
  }

  @Override
  public Shape shape() {
    return Shapes.repeat(0, count, old.bounds().extent(), old.shape());
  }
}
