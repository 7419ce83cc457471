// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import static org.ffmpi.datatype.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeClass;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernels;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fortran types by precision, range and size. */
class FortranTypesTest {
  private static final int UNDEFINED = Constants.UNDEFINED;

  private static void isLike(Datatype<?> base, Datatype<?> type) {
    assertEquals(base.size(), type.size());
    assertEquals(base.extent(), type.extent());
    assertEquals(base.arrayClass(), type.arrayClass());
    assertTrue(type.isCommitted());
    assertTrue(type.isPredefined());
    assertEquals(base.layout(), type.layout());
    assertEquals(TypeHandle.planOf(base).size(), TypeHandle.planOf(type).size());
    assertEquals(TypeHandle.of(base).reductionUnit(), TypeHandle.of(type).reductionUnit());
  }

  @Test
  void realsAreFoundByPrecisionAndRange() {
    int[][] small = {{6, 37}, {0, 0}, {-5, -5}, {6, UNDEFINED}, {UNDEFINED, 37}};
    int[][] middle = {{7, 37}, {6, 38}, {15, 307}, {15, UNDEFINED}, {UNDEFINED, 307}, {7, UNDEFINED}};
    int[][] large = {{16, 0}, {0, 308}, {33, 4931}, {UNDEFINED, 4931}, {33, UNDEFINED}};
    for (int[] pr : small) {
      isLike(Datatype.REAL4, Datatype.f90Real(pr[0], pr[1]));
      isLike(Datatype.COMPLEX8, Datatype.f90Complex(pr[0], pr[1]));
    }
    for (int[] pr : middle) {
      isLike(Datatype.REAL8, Datatype.f90Real(pr[0], pr[1]));
      isLike(Datatype.COMPLEX16, Datatype.f90Complex(pr[0], pr[1]));
    }
    for (int[] pr : large) {
      isLike(Datatype.REAL16, Datatype.f90Real(pr[0], pr[1]));
      isLike(Datatype.COMPLEX32, Datatype.f90Complex(pr[0], pr[1]));
    }
  }

  @Test
  void integersAreFoundByRange() {
    int[] last = {2, 4, 9, 18, 38};
    List<Datatype<?>> types = List.of(
        Datatype.INTEGER1, Datatype.INTEGER2, Datatype.INTEGER4, Datatype.INTEGER8, Datatype.INTEGER16);
    for (int r = -1; r <= 38; r++) {
      int kind = 0;
      while (r > last[kind]) {
        kind++;
      }
      isLike(types.get(kind), Datatype.f90Integer(r));
    }
  }

  @Test
  @DisplayName("S1-4.1.13-f: equal arguments give equal handles, with contents but no component, not to be freed")
  void equalArgumentsGiveTheSameObject() {
    Datatype<?> real = Datatype.f90Real(10, 100);
    assertSame(real, Datatype.f90Real(10, 100));
    assertNotSame(real, Datatype.f90Real(10, 101));
    assertNotSame(real, Datatype.f90Complex(10, 100));
    assertNotSame(Datatype.REAL8, real);
    assertEquals(new TypeEnvelope(Combiner.F90_REAL, 2, 0, 0), real.envelope());
    assertArrayEquals(new long[] {10, 100}, real.contents().integers());
    assertEquals(List.of(), real.contents().datatypes());
    assertEquals(Combiner.F90_COMPLEX, Datatype.f90Complex(3, UNDEFINED).envelope().combiner());
    assertArrayEquals(new long[] {3, UNDEFINED}, Datatype.f90Complex(3, UNDEFINED).contents().integers());
    Datatype<?> integer = Datatype.f90Integer(12);
    assertEquals(new TypeEnvelope(Combiner.F90_INTEGER, 1, 0, 0), integer.envelope());
    assertArrayEquals(new long[] {12}, integer.contents().integers());
    refused(ErrorClass.ERR_TYPE, integer::close, "not predefined");
    assertSame(integer, integer.commit());
    assertSame(integer, Datatype.contiguous(2, integer).contents().datatypes().getFirst());
  }

  @Test
  void theyAreReducedAsTheirBaseTypes() {
    assertSame(
        ReduceKernels.kernel(PredefinedOp.SUM, Datatype.REAL8),
        ReduceKernels.kernel(PredefinedOp.SUM, Datatype.f90Real(15, 300)));
    assertSame(
        ReduceKernels.kernel(PredefinedOp.PROD, Datatype.COMPLEX8),
        ReduceKernels.kernel(PredefinedOp.PROD, Datatype.f90Complex(6, 30)));
    assertSame(
        ReduceKernels.kernel(PredefinedOp.BAND, Datatype.INTEGER16),
        ReduceKernels.kernel(PredefinedOp.BAND, Datatype.f90Integer(30)));
    refused(ErrorClass.ERR_OP, () -> ReduceKernels.kernel(PredefinedOp.MAX, Datatype.f90Complex(6, 30)), "Complex");
    assertSame(
        ReduceKernels.kernel(PredefinedOp.SUM, Datatype.REAL16),
        ReduceKernels.kernel(PredefinedOp.SUM, Datatype.f90Real(33, 0)));
  }

  @Test
  void sizesAreMatched() {
    assertSame(Datatype.INTEGER1, Datatype.matchSize(TypeClass.INTEGER, 1));
    assertSame(Datatype.INTEGER8, Datatype.matchSize(TypeClass.INTEGER, 8));
    assertSame(Datatype.INTEGER16, Datatype.matchSize(TypeClass.INTEGER, 16));
    assertSame(Datatype.REAL2, Datatype.matchSize(TypeClass.REAL, 2));
    assertSame(Datatype.REAL4, Datatype.matchSize(TypeClass.REAL, 4));
    assertSame(Datatype.REAL16, Datatype.matchSize(TypeClass.REAL, 16));
    assertSame(Datatype.COMPLEX8, Datatype.matchSize(TypeClass.COMPLEX, 8));
    assertSame(Datatype.COMPLEX32, Datatype.matchSize(TypeClass.COMPLEX, 32));
    assertEquals(Constants.TYPECLASS_REAL, TypeClass.REAL.code());
  }

  @Test
  void whatNoKindHasIsRefused() {
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Real(34, 10), "p = 34", "33");
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Real(10, 4932), "r = 4932", "4931");
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Complex(UNDEFINED, 5000), "r = 5000");
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Real(UNDEFINED, UNDEFINED), "both UNDEFINED");
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Integer(39), "r = 39", "38");
    refused(ErrorClass.ERR_ARG, () -> Datatype.f90Integer(UNDEFINED), "r = " + UNDEFINED);
    refused(ErrorClass.ERR_ARG, () -> Datatype.matchSize(TypeClass.REAL, 10), "size = 10", "2, 4, 8, 16");
    refused(ErrorClass.ERR_ARG, () -> Datatype.matchSize(TypeClass.COMPLEX, -8), "size = -8");
    refused(ErrorClass.ERR_ARG, () -> Datatype.matchSize(null, 8), "typeClass = null");
  }
}
