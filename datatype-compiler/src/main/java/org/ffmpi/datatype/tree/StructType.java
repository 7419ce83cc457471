// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/** Blocks of different types at displacements in bytes ({@code MPI_Type_create_struct}). */
public record StructType(Longs blocklengths, Longs displacements, MemberTypes types) implements TypeConstructor {
  /** From this many blocks on, bounds are computed by type instead of by block. */
  private static final int MANY = 64;

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
    BoundsSum sum = types.size() < MANY ? sumOfBlocks() : sumOfTypes();
    try {
      return sum.toStructBounds();
    } catch (ArithmeticException e) {
      throw BlockBounds.spread(e);
    }
  }

  private BoundsSum sumOfBlocks() {
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
    return sum;
  }

  /** Returns the same sum, from the number of copies of each type and the places of the outermost ones. */
  private BoundsSum sumOfTypes() {
    List<TypeTree> kinds = types.kinds();
    long[] extents = extents();
    long[] copies = new long[kinds.size()];
    long[] low = new long[kinds.size()];
    long[] high = new long[kinds.size()];
    Arrays.fill(low, Long.MAX_VALUE);
    Arrays.fill(high, Long.MIN_VALUE);
    BoundsSum sum = new BoundsSum();
    try {
      outermost(extents, copies, low, high);
      for (int k = 0; k < copies.length; k++) {
        sum.addSize(kinds.get(k).bounds(), copies[k]);
        if (copies[k] > 0) {
          sum.addSpan(kinds.get(k).bounds(), low[k], high[k]);
        }
      }
    } catch (ArithmeticException e) {
      return sumOfBlocks(); // finds the block for the error text
    }
    return sum;
  }

  private void outermost(long[] extents, long[] copies, long[] low, long[] high) {
    int[] kindOf = types.kindOf();
    for (int i = 0; i < kindOf.length; i++) {
      long length = blocklengths.get(i);
      if (length > 0) {
        int k = kindOf[i];
        long first = displacements.get(i);
        long last = length == 1 ? first : Math.addExact(first, Math.multiplyExact(length - 1, extents[k]));
        copies[k] = Math.addExact(copies[k], length);
        low[k] = Math.min(low[k], Math.min(first, last));
        high[k] = Math.max(high[k], Math.max(first, last));
      }
    }
  }

  private long[] extents() {
    long[] extents = new long[types.kinds().size()];
    for (int k = 0; k < extents.length; k++) {
      extents[k] = types.kinds().get(k).bounds().extent();
    }
    return extents;
  }

  @Override
  public ByteShape shape() {
    if (types.size() == 1) {
      TypeTree only = types.get(0);
      return TreeShapes.repeat(displacements.get(0), blocklengths.get(0), only.bounds().extent(), only.shape());
    }
    ByteShape[] bodies = new ByteShape[types.kinds().size()];
    for (int k = 0; k < bodies.length; k++) {
      bodies[k] = types.kinds().get(k).shape();
    }
    return new ByteShape.Members(displacements.shared(), blocklengths.shared(), types.kindOf(), extents(), bodies);
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
    return types.kinds();
  }

  @Override
  public List<TypeTree> arguments() {
    return types;
  }

  @Override
  public int arrays() {
    int kinds = ArrayKinds.ALL;
    int[] kindOf = types.kindOf();
    boolean[] counted = new boolean[types.kinds().size()];
    int left = counted.length;
    for (int i = 0; i < kindOf.length && left > 0; i++) {
      if (!counted[kindOf[i]] && blocklengths.get(i) != 0) {
        counted[kindOf[i]] = true;
        left--;
        kinds &= types.get(i).arrays();
      }
    }
    return kinds;
  }
}
