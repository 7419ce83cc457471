// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.List;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/**
 * One call that made a type, with its arguments as they were given. The records check their arguments when created. The
 * methods compute their results at each call; {@link DerivedTree} caches them.
 */
public sealed interface TypeConstructor permits TypeConstructor.OfOne, StructType, ValueIndexType, FortranKindType {

  /** Returns the name of the call. */
  Combiner combiner();

  /**
   * Computes the bounds.
   *
   * @throws org.ffmpi.base.MpiException when an argument makes the type too large for 63 bits
   */
  Bounds bounds();

  /** Lowers the call to bytes. The shapes of components are shared, and counts are never expanded. */
  ByteShape shape();

  /**
   * Returns the basic types in order; the signatures of components are shared.
   *
   * @param bounds what {@link #bounds} has returned
   */
  Signature signature(Bounds bounds);

  /** Returns the {@link ArrayKinds} that elements may lie in. */
  int arrays();

  /** Returns the types among the arguments, in any order, possibly without repetitions. */
  List<TypeTree> components();

  /** Returns the types as they were given, repetitions included. */
  default List<TypeTree> arguments() {
    return components();
  }

  /** A call with a single old type, of which the new one holds some number of copies. */
  sealed interface OfOne extends TypeConstructor
      permits DupType, ContiguousType, VectorType, HvectorType, IndexedType, HindexedType, IndexedBlockType,
          HindexedBlockType, SubarrayType, DarrayType, ResizedType {
    /** Returns the type that is copied. */
    TypeTree old();

    @Override
    default List<TypeTree> components() {
      return List.of(old());
    }

    @Override
    default Signature signature(Bounds bounds) {
      long part = old().bounds().size();
      return old().signature().times(part == 0 ? 0 : bounds.size() / part);
    }

    @Override
    default int arrays() {
      return old().arrays();
    }
  }
}
