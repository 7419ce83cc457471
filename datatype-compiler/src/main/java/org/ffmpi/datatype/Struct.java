// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.Shape;

/** {@code MPI_Type_create_struct}: blocks of different types at displacements in bytes. */
record Struct(Longs blocklengths, Longs displacements, List<TypeTree> types) implements TypeConstructor {
  Struct {
    Arguments.notNegative("blocklengths", blocklengths);
    Arguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
    Arguments.sameLength("types", types.size(), "blocklengths", blocklengths.length());
  }

  @Override
  public Combiner combiner() {
    return Combiner.STRUCT;
  }

  @Override
  public Bounds bounds() {
    BoundsSum sum = new BoundsSum();
    for (int i = 0; i < types.size(); i++) {
      Bounds part = types.get(i).bounds();
      long length = blocklengths.get(i);
      try {
        sum.addSize(part, length);
      } catch (ArithmeticException e) {
        throw Arguments.tooMany("blocklengths[" + i + "]", length);
      }
      try {
        if (length > 0) {
          sum.addBlock(part, displacements.get(i), length);
        }
      } catch (ArithmeticException e) {
        throw Arguments.tooFar("displacements[" + i + "]", displacements.get(i));
      }
    }
    try {
      return sum.toBounds();
    } catch (ArithmeticException e) {
      throw BlockBounds.spread(e);
    }
  }

  @Override
  public Shape shape() {
    List<Shape> parts = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      TypeTree type = types.get(i);
      if (blocklengths.get(i) > 0) {
        parts.add(
            Shapes.repeat(displacements.get(i), blocklengths.get(i), type.bounds().extent(), type.shape()));
      }
    }
    return parts.size() == 1 ? parts.getFirst() : new Shape.Sequence(parts);
  }

  @Override
  public Signature signature(Bounds bounds) {
    List<Signature> parts = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      parts.add(types.get(i).signature().times(blocklengths.get(i)));
    }
    return Signature.sequence(parts);
  }

  @Override
  public List<TypeTree> components() {
    return types;
  }

  @Override
  public int arrays() {
    int kinds = ArrayKinds.ALL;
    for (int i = 0; i < types.size(); i++) {
      kinds &= blocklengths.get(i) == 0 ? ArrayKinds.ALL : ArrayKinds.of(types.get(i));
    }
    return kinds;
  }
}
