// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.ffmpi.datatype.Datatype.CHAR;
import static org.ffmpi.datatype.Datatype.DOUBLE;
import static org.ffmpi.datatype.Datatype.DOUBLE_INT;
import static org.ffmpi.datatype.Datatype.DOUBLE_PRECISION;
import static org.ffmpi.datatype.Datatype.INT;
import static org.ffmpi.datatype.Datatype.REAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Size, extent and bounds of derived types, against the standard's formulas and examples. */
public class BoundsTest {
  /** Checks size, lower bound, extent, true lower bound and true extent. */
  public static void check(Datatype<?> type, long size, long lb, long extent, long trueLb, long trueExtent) {
    assertEquals(
        "size " + size + ", lb " + lb + ", extent " + extent + ", true lb " + trueLb + ", true extent " + trueExtent,
        "size " + type.size() + ", lb " + type.lowerBound() + ", extent " + type.extent() + ", true lb "
            + type.trueLowerBound() + ", true extent " + type.trueExtent(),
        type::describe);
    assertEquals(lb + extent, type.upperBound());
  }

  /** A type without the exact lengths of arrays in the way. */
  public static long[] longs(long... values) {
    return values;
  }

  @Test
  @DisplayName("S4-1 S4-2 S4-4: bounds of a resized type and of copies of it")
  void resized() {
    Datatype<Integer> resized = INT.resized(-3, 9);
    check(resized, 4, -3, 9, 0, 4);
    check(Datatype.contiguous(2, resized), 8, -3, 18, 0, 13);
    check(Datatype.contiguous(3, resized), 12, -3, 27, 0, 22);
    assertEquals(1, resized.count(4));
  }

  @Test
  @DisplayName("S4-3: of several markers the lowest lower and the highest upper one count")
  void redundantMarkersVanish() {
    check(Datatype.struct(longs(1, 1), longs(0, 10), INT.resized(-3, 9), INT.resized(2, 5)), 8, -3, 20, 0, 14);
    check(Datatype.struct(longs(1, 1), longs(0, 0), INT.resized(-1, 2), INT.resized(5, 20)), 8, -1, 26, 0, 4);
  }

  @Test
  @DisplayName("S4-5 S4-7: one marked part decides for all")
  void markersWinOverData() {
    check(Datatype.struct(longs(1, 1), longs(0, 10), INT.resized(-3, 9), DOUBLE), 12, -3, 9, 0, 18);
    check(DOUBLE.resized(0, 9), 8, 0, 9, 0, 8);
    check(Datatype.contiguous(2, DOUBLE.resized(0, 9)), 16, 0, 18, 0, 17);
  }

  @Test
  @DisplayName("S4-6: the extent is rounded to the alignment, not the upper bound")
  void extentIsRounded() {
    Datatype<?> struct = Datatype.struct(longs(1, 1), longs(0, 8), DOUBLE, CHAR);
    check(struct, 9, 0, 16, 0, 9);
    check(Datatype.contiguous(3, struct), 27, 0, 48, 0, 41);
    check(Datatype.struct(longs(1, 1), longs(-1, 8), CHAR, DOUBLE), 9, -1, 24, -1, 17);
    check(Datatype.contiguous(2, DOUBLE_INT), 24, 0, 32, 0, 28);
  }

  @Test
  @DisplayName("§5.1.7: a struct counts the padding at the end of its members, as both C libraries do")
  void paddingOfMembers() {
    check(Datatype.struct(longs(1, 1), longs(0, 273), DOUBLE, DOUBLE_INT), 20, 0, 296, 0, 285);
    Datatype<?> inner = Datatype.struct(longs(1, 1), longs(0, 8), DOUBLE, CHAR);
    Datatype<?> outer = Datatype.struct(longs(1, 1), longs(-3, 0), CHAR, inner);
    check(outer, 10, -3, 24, -3, 12);
    check(Datatype.contiguous(2, outer), 20, -3, 48, -3, 36);
    check(Datatype.vector(2, 1, 2, outer), 20, -3, 72, -3, 60);
    check(outer.dup(), 10, -3, 24, -3, 12);
    check(Datatype.struct(longs(1, 1), longs(0, 1), CHAR, outer.dup()), 11, -2, 24, -2, 12);
    check(Datatype.struct(longs(2), longs(1), DOUBLE_INT), 24, 1, 32, 1, 28);
    check(Datatype.struct(longs(1, 1), longs(0, 9), INT, Datatype.vector(2, 1, 2, inner)), 22, 0, 64, 0, 50);
    check(Datatype.struct(longs(1, 1), longs(0, 273), DOUBLE.resized(0, 8), DOUBLE_INT), 20, 0, 8, 0, 285);
    check(Datatype.struct(longs(1, 1), longs(0, 9), CHAR, DOUBLE_INT.resized(0, 12)), 13, 9, 12, 0, 21);
  }

  @Test
  @DisplayName("§5.1.7: other constructors count data only, and round once, at the end")
  void paddingOutsideStructs() {
    check(Datatype.hindexed(longs(1, 1), longs(0, 1), DOUBLE_INT), 24, 0, 16, 0, 13);
    check(Datatype.struct(longs(1, 1, 1), longs(0, 8, -7), DOUBLE, CHAR, CHAR), 10, -7, 16, -7, 16);
    Datatype<?> uneven = Datatype.hindexed(longs(1, 1), longs(0, 1), DOUBLE_INT);
    check(Datatype.struct(longs(1), longs(0), uneven), 24, 0, 24, 0, 13);
    check(Datatype.contiguous(2, Datatype.struct(longs(1), longs(0), uneven)), 48, 0, 48, 0, 37);
  }

  @Test
  @DisplayName("S4-7: every constructor rounds the extent")
  void everyConstructorRounds() {
    Datatype<Integer> one = Datatype.indexedBlock(1, longs(17), INT);
    check(one, 4, 68, 4, 68, 4);
    check(Datatype.hvector(4, 1, 253, one), 16, 68, 764, 68, 763);
    check(Datatype.hindexed(longs(1, 1), longs(0, 5), INT), 8, 0, 12, 0, 9);
    check(Datatype.hindexedBlock(1, longs(0, 5), INT), 8, 0, 12, 0, 9);
  }

  @Test
  @DisplayName("S4-8 S4-9: a gap in front of a double, and the same with the gap filled")
  void alignmentGap() {
    Datatype<?> gap = Datatype.struct(longs(3, 1), longs(0, 16), REAL, DOUBLE_PRECISION);
    check(gap, 20, 0, 24, 0, 24);
    assertFalse(TypeHandle.planOf(gap.commit()).isContiguous());
    Datatype<?> filled = Datatype.struct(longs(3, 1, 1), longs(0, 12, 16), REAL, REAL, DOUBLE_PRECISION);
    check(filled, 24, 0, 24, 0, 24);
    assertTrue(TypeHandle.planOf(filled.commit()).isContiguous());
  }

  @Test
  @DisplayName("S1-4.1.6: the markers LB and UB of old, which resized replaces")
  void oldMarkers() {
    check(INT.resized(-3, 9), 4, -3, 9, 0, 4);
  }

  @Test
  @DisplayName("S1-4.1.7-b: resizing erases markers that were set before")
  void resizingReplacesBounds() {
    check(Datatype.contiguous(2, INT.resized(-3, 9)).resized(0, 4), 8, 0, 4, 0, 13);
  }

  @Test
  @DisplayName("S1-4.1.7-c: negative extents")
  void negativeExtent() {
    Datatype<Integer> backwards = INT.resized(4, -8);
    check(backwards, 4, 4, -8, 0, 4);
    assertEquals(-4, backwards.upperBound());
    check(Datatype.contiguous(2, backwards), 8, -4, 0, -8, 12);
  }

  @Test
  @DisplayName("S1-4.1.5-b S1-4.1.7-a S1-2.5.8-b: what does not fit in an int is UNDEFINED there")
  void intForms() {
    Datatype<Integer> large = Datatype.contiguous(0x7fffffff, INT);
    assertEquals(8589934588L, large.size());
    assertEquals(8589934588L, large.extent());
    assertEquals(Constants.UNDEFINED, large.sizeInt());
    assertEquals(Constants.UNDEFINED, large.extentInt());
    assertEquals(Constants.UNDEFINED, large.trueExtentInt());
    assertEquals(0, large.lowerBoundInt());
    Datatype<Integer> small = Datatype.hindexed(longs(1, 1), longs(-8, 8), INT);
    assertEquals(8, small.sizeInt());
    assertEquals(20, small.extentInt());
    assertEquals(-8, small.lowerBoundInt());
    assertEquals(-8, small.trueLowerBoundInt());
    assertEquals(20, small.trueExtentInt());
    Datatype<Integer> far = Datatype.hindexed(longs(1), longs(-5_000_000_000L), INT);
    assertEquals(Constants.UNDEFINED, far.lowerBoundInt());
    assertEquals(Constants.UNDEFINED, far.trueLowerBoundInt());
  }

  @Test
  @DisplayName("S1-4.1.8-a S1-4.1.8-b: true bounds know neither markers nor rounding")
  void trueBounds() {
    Datatype<?> type = Datatype.struct(longs(1, 1), longs(4, 9), INT, CHAR).resized(-100, 1000);
    check(type, 5, -100, 1000, 4, 6);
  }

  @Test
  @DisplayName("S1-4.10: contiguous(5) and blocks that overlap")
  void exampleTen() {
    check(Datatype.contiguous(5, REAL), 20, 0, 20, 0, 20);
    check(Datatype.vector(3, 5, 4, REAL), 60, 0, 52, 0, 52);
  }

  @Test
  void negativeStridesAndDisplacements() {
    check(Datatype.vector(3, 2, -4, INT), 24, -32, 40, -32, 40);
    check(Datatype.hvector(3, 1, -6, INT), 12, -12, 16, -12, 16);
    check(Datatype.vector(2, 2, 3, INT.resized(0, -4)), 16, -16, 12, -16, 20);
    check(Datatype.indexed(longs(2, 1), longs(-3, 4), INT), 12, -12, 32, -12, 32);
  }

  @Test
  void emptyBlocksAndTypesSayNothing() {
    check(Datatype.contiguous(0, DOUBLE), 0, 0, 0, 0, 0);
    check(Datatype.vector(0, 3, 5, DOUBLE), 0, 0, 0, 0, 0);
    check(Datatype.vector(3, 0, 5, DOUBLE), 0, 0, 0, 0, 0);
    check(Datatype.indexed(longs(0, 2, 0), longs(-1000, 1, Long.MAX_VALUE), INT), 8, 4, 8, 4, 8);
    check(Datatype.indexed(longs(), longs(), INT), 0, 0, 0, 0, 0);
    check(Datatype.struct(longs(), longs()), 0, 0, 0, 0, 0);
    Datatype<Double> empty = Datatype.contiguous(0, DOUBLE);
    check(Datatype.struct(longs(1, 1), longs(500, 3), empty, CHAR), 1, 3, 1, 3, 1);
    check(empty.resized(-3, 9), 0, -3, 9, 0, 0);
    check(Datatype.contiguous(4, empty.resized(-3, 9)), 0, -3, 36, 0, 0);
    check(Datatype.contiguous(0, INT.resized(-3, 9)), 0, 0, 0, 0, 0);
    check(Datatype.struct(longs(0, 1), longs(0, 0), DOUBLE, CHAR), 1, 0, 1, 0, 1);
    for (Datatype<?> type : new Datatype<?>[] {empty, Datatype.struct(longs(), longs()), empty.resized(-3, 9)}) {
      assertEquals(0, TypeHandle.planOf(type.commit()).size());
    }
  }

  @Test
  void strideOfOneBlockDoesNotMatter() {
    check(Datatype.vector(1, 2, Long.MAX_VALUE, INT), 8, 0, 8, 0, 8);
    check(Datatype.hvector(1, 2, Long.MIN_VALUE, INT), 8, 0, 8, 0, 8);
    assertEquals(8, TypeHandle.planOf(Datatype.vector(1, 2, Long.MAX_VALUE, INT).commit()).size());
  }

  @Test
  void duplicatesHaveTheSameBounds() {
    check(INT.resized(-3, 9).dup(), 4, -3, 9, 0, 4);
    check(Datatype.contiguous(2, INT.resized(-3, 9).dup()), 8, -3, 18, 0, 13);
  }

  @Test
  void hugeTypesAreDescribedWithoutBeingEnumerated() {
    long count = 1L << 40;
    check(
        Datatype.vector(count, 1, 2, Datatype.contiguous(1L << 10, INT)),
        1L << 52,
        0,
        (1L << 53) - (1L << 12),
        0,
        (1L << 53) - (1L << 12));
  }
}
