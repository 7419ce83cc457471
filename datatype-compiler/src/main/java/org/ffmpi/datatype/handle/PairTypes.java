// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.ReductionGroup;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.FortranKindType;
import org.ffmpi.datatype.tree.ReductionUnit;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.ValueIndexType;

/**
 * Pairs of value and index (MPI-4.1 §6.9.4). MPI names nine; of the others, all are provided whose values have an
 * order and whose index is an integer.
 */
public final class PairTypes {
  private static final Map<ReductionUnit.Pair, Basic> NAMED = Map.of(
      new ReductionUnit.Pair(Basic.FLOAT, Basic.INT), Basic.FLOAT_INT,
      new ReductionUnit.Pair(Basic.DOUBLE, Basic.INT), Basic.DOUBLE_INT,
      new ReductionUnit.Pair(Basic.LONG, Basic.INT), Basic.LONG_INT,
      new ReductionUnit.Pair(Basic.INT, Basic.INT), Basic.TWO_INT,
      new ReductionUnit.Pair(Basic.SHORT, Basic.INT), Basic.SHORT_INT,
      new ReductionUnit.Pair(Basic.LONG_DOUBLE, Basic.INT), Basic.LONG_DOUBLE_INT,
      new ReductionUnit.Pair(Basic.REAL, Basic.REAL), Basic.TWO_REAL,
      new ReductionUnit.Pair(Basic.DOUBLE_PRECISION, Basic.DOUBLE_PRECISION), Basic.TWO_DOUBLE_PRECISION,
      new ReductionUnit.Pair(Basic.INTEGER, Basic.INTEGER), Basic.TWO_INTEGER);

  private static final Set<ReductionGroup> INTEGERS = EnumSet.of(
      ReductionGroup.C_INTEGER, ReductionGroup.FORTRAN_INTEGER, ReductionGroup.MULTI_LANGUAGE);

  private PairTypes() {}

  public static Datatype<?> of(Datatype<?> value, Datatype<?> index) {
    ValueIndexType constructor = new ValueIndexType(TypeHandle.tree("value", value), TypeHandle.tree("index", index));
    Basic valueType = basic(constructor.value());
    Basic indexType = basic(constructor.index());
    if (constructor.value() instanceof TypeTree.Named && constructor.index() instanceof TypeTree.Named) {
      Basic named = NAMED.get(new ReductionUnit.Pair(valueType, indexType));
      if (named != null) {
        return PredefinedHandles.named(named);
      }
    }
    if (valueType == null || !INTEGERS.contains(valueType.reductionGroup()) && !isOrderedReal(valueType)) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "value", value,
          "predefined integer types and floating-point types, real ones");
    }
    if (indexType == null || !INTEGERS.contains(indexType.reductionGroup())) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "index", index,
          "predefined integer types, and those of the named pairs");
    }
    return PredefinedHandles.unnamed(constructor);
  }

  /** Returns the predefined type of a tree, or null when it is a derived one. */
  private static Basic basic(TypeTree tree) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> basic;
      case DerivedTree derived -> derived.constructor() instanceof FortranKindType f90 ? f90.basic() : null;
    };
  }

  private static boolean isOrderedReal(Basic basic) {
    return switch (basic.element()) {
      case FLOAT16, FLOAT32, FLOAT64, LONG_DOUBLE, FLOAT128 -> true;
      default -> false;
    };
  }
}
