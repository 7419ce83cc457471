// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/** {@code MPI_Type_create_struct}: blocks of different types at displacements in bytes. */
public record StructType(Longs blocklengths, Longs displacements, List<TypeTree> types) implements TypeConstructor {
  public StructType {
    TypeArguments.notNegative("blocklengths", blocklengths);
    TypeArguments.sameLength("displacements", displacements.length(), "blocklengths", blocklengths.length());
    TypeArguments.sameLength("types", types.size(), "blocklengths", blocklengths.length());
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
        throw TypeArguments.tooMany("blocklengths[" + i + "]", length);
      }
      try {
        if (length > 0) {
          sum.addBlock(part, displacements.get(i), length);
        }
      } catch (ArithmeticException e) {
        throw TypeArguments.tooFar("displacements[" + i + "]", displacements.get(i));
      }
    }
    try {
      return sum.toStructBounds();
    } catch (ArithmeticException e) {
      throw BlockBounds.spread(e);
    }
  }

  @Override
  public ByteShape shape() {
    int blocks = types.size();
    if (blocks == 1) {
      TypeTree only = types.getFirst();
      return TreeShapes.repeat(displacements.get(0), blocklengths.get(0), only.bounds().extent(), only.shape());
    }
    long[] extents = new long[blocks];
    ByteShape[] bodies = new ByteShape[blocks];
    for (int i = 0; i < blocks; i++) {
      TypeTree type = types.get(i);
      extents[i] = type.bounds().extent();
      bodies[i] = type.shape();
    }
    return new ByteShape.Members(displacements.shared(), blocklengths.shared(), extents, bodies);
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
      kinds &= blocklengths.get(i) == 0 ? ArrayKinds.ALL : types.get(i).arrays();
    }
    return kinds;
  }
}
