// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeClass;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.tree.FortranKindType;

/**
 * The Fortran types that are found by precision and range, or by size (MPI-4.1 §19.1.5). Kinds are those of gfortran on
 * x86-64, except for the 80-bit real, for which MPI has no type of that size.
 */
public final class FortranTypes {
  private static final Kind[] REALS = {
    new Kind(6, 37, Basic.REAL4, Basic.COMPLEX8),
    new Kind(15, 307, Basic.REAL8, Basic.COMPLEX16),
    new Kind(33, 4931, Basic.REAL16, Basic.COMPLEX32),
  };

  /** Decimal ranges of {@link TypeClass#INTEGER}'s types. */
  private static final int[] INTEGER_RANGES = {2, 4, 9, 18, 38};

  private FortranTypes() {}

  /** A kind of real, and the MPI types of it and of the complex number of two of them. */
  private record Kind(int precision, int range, Basic real, Basic complex) {}

  public static Datatype<?> real(int p, int r) {
    return PredefinedHandles.unnamed(new FortranKindType(Combiner.F90_REAL, p, r, kind(p, r).real()));
  }

  public static Datatype<?> complex(int p, int r) {
    return PredefinedHandles.unnamed(new FortranKindType(Combiner.F90_COMPLEX, p, r, kind(p, r).complex()));
  }

  public static Datatype<?> integer(int r) {
    for (int i = 0; i < INTEGER_RANGES.length && r != Constants.UNDEFINED; i++) {
      if (r <= INTEGER_RANGES[i]) {
        return PredefinedHandles.unnamed(
            new FortranKindType(Combiner.F90_INTEGER, Constants.UNDEFINED, r, types(TypeClass.INTEGER)[i]));
      }
    }
    throw MpiException.argument(ErrorClass.ERR_ARG, "r", r, "decimal ranges of at most 38");
  }

  /** Returns the types of a class, the smallest first. */
  private static Basic[] types(TypeClass typeClass) {
    return switch (typeClass) {
      case INTEGER -> new Basic[] {Basic.INTEGER1, Basic.INTEGER2, Basic.INTEGER4, Basic.INTEGER8, Basic.INTEGER16};
      case REAL -> new Basic[] {Basic.REAL2, Basic.REAL4, Basic.REAL8, Basic.REAL16};
      case COMPLEX -> new Basic[] {Basic.COMPLEX4, Basic.COMPLEX8, Basic.COMPLEX16, Basic.COMPLEX32};
    };
  }

  /** Returns the smallest kind of at least a precision and range, as {@code selected_real_kind} does. */
  private static Kind kind(int p, int r) {
    if (p == Constants.UNDEFINED && r == Constants.UNDEFINED) {
      throw new MpiException(ErrorClass.ERR_ARG, "p and r are both UNDEFINED: one of them has to be given");
    }
    for (Kind kind : REALS) {
      // UNDEFINED is less than any precision or range.
      if (p <= kind.precision && r <= kind.range) {
        return kind;
      }
    }
    boolean precise = p > REALS[REALS.length - 1].precision;
    throw MpiException.argument(
        ErrorClass.ERR_ARG, precise ? "p" : "r", precise ? p : r, precise ? "at most 33 digits" : "at most 4931");
  }

  public static Datatype<?> matching(TypeClass typeClass, int size) {
    Basic[] types = types(TypeArguments.present("typeClass", typeClass));
    for (Basic basic : types) {
      if (basic.element().bounds().size() == size) {
        return PredefinedHandles.named(basic);
      }
    }
    throw MpiException.argument(ErrorClass.ERR_ARG, "size", size, "sizes of " + typeClass + ": "
        + Arrays.stream(types).map(b -> Long.toString(b.element().bounds().size())).collect(Collectors.joining(", ")));
  }
}
