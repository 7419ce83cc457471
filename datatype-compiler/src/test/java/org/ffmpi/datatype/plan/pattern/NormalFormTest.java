// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The normal forms of shapes, as plans print them. */
class NormalFormTest {
  private static final ByteShape DOUBLE = run(0, 8);
  private static final ByteShape PARTICLE = sequence(run(0, 4), repeat(8, 6, 8, DOUBLE), repeat(56, 7, 1, run(0, 1)));

  private static ByteShape run(long displacement, long bytes) {
    return new ByteShape.Run(displacement, bytes);
  }

  private static ByteShape repeat(long displacement, long count, long stride, ByteShape body) {
    return new ByteShape.Repeat(displacement, count, stride, body);
  }

  private static ByteShape scatter(long[] displacements, long[] counts, long stride, ByteShape body) {
    return new ByteShape.Scatter(displacements, counts, stride, body);
  }

  private static ByteShape sequence(ByteShape... parts) {
    return new ByteShape.Sequence(List.of(parts));
  }

  private static String text(ByteShape shape, long extent) {
    return PlanCompiler.compile(shape, extent).toString();
  }

  private static long[] longs(long... values) {
    return values;
  }

  @Test
  @DisplayName("S4-9: a struct without gaps is one block, one with a gap is not")
  void structsWithoutGapsAreContiguous() {
    assertEquals("contiguous 24", text(sequence(run(0, 12), run(12, 4), run(16, 8)), 24));
    assertEquals("every 24: 12 at 0, 8 at 16", text(sequence(run(0, 12), run(16, 8)), 24));
    assertEquals("every 64: 4 at 0, 55 at 8", text(PARTICLE, 64));
  }

  @Test
  void emptyPartsVanish() {
    assertEquals("nothing every 5", text(repeat(0, 0, 8, DOUBLE), 5));
    assertEquals("nothing every 0", text(sequence(), 0));
    assertEquals("nothing every 0", text(scatter(longs(), longs(), 0, DOUBLE), 0));
    assertEquals("nothing every 8", text(scatter(longs(1, 2), longs(0, 0), 8, DOUBLE), 8));
    assertEquals("contiguous 8 at 4", text(sequence(run(100, 0), run(4, 8), repeat(2, 0, 1, DOUBLE)), 8));
    assertEquals("every 96: 8 at 0, 16 at 40", text(scatter(longs(0, 7, 40), longs(1, 0, 2), 8, DOUBLE), 96));
  }

  @Test
  void loopsOfNeighboursAreBlocks() {
    assertEquals("contiguous 80", text(repeat(0, 10, 8, DOUBLE), 80));
    assertEquals("contiguous 4800", text(repeat(0, 6, 800, repeat(0, 10, 80, repeat(0, 10, 8, DOUBLE))), 4800));
    assertEquals("every 32: 16 at 0", text(repeat(0, 2, 8, DOUBLE), 32));
  }

  @Test
  void loopsFuse() {
    assertEquals("every 1000: 12 every 16 of 8 at 0", text(repeat(0, 3, 64, repeat(0, 4, 16, DOUBLE)), 1000));
    assertEquals("every 1000: 12 every 0 of 8 at 3", text(repeat(1, 3, 0, repeat(2, 4, 0, DOUBLE)), 1000));
    assertEquals("every 1000: 12 every -16 of 8 at 0", text(repeat(0, 3, -64, repeat(0, 4, -16, DOUBLE)), 1000));
    assertEquals("every 1000: 8 at 5", text(repeat(2, 1, 77, repeat(3, 1, 99, DOUBLE)), 1000));
  }

  @Test
  @DisplayName("S1-4.15 S1-4.16: a transpose whose extent equals its size is not contiguous")
  void transposes() {
    ByteShape column = repeat(0, 100, 800, DOUBLE);
    assertEquals("every 80000: 100 every 8 of 100 every 800 of 8 at 0", text(repeat(0, 100, 8, column), 80000));
    assertEquals("every 8: 100 every 800 of 8 at 0", text(column, 8));
    assertEquals("100 times every 8: 100 every 800 of 8 at 0", text(repeat(0, 100, 8, column), 800));
  }

  @Test
  void elementsAreOneMoreLoop() {
    assertEquals("10 times every 16: 8 at 0", text(repeat(0, 10, 16, DOUBLE), 160));
    assertEquals("every 152: 10 every 16 of 8 at 0", text(repeat(0, 10, 16, DOUBLE), 152));
    assertEquals("10 times every 64: 4 at 0, 55 at 8", text(repeat(0, 10, 64, PARTICLE), 640));
    assertFalse(PlanCompiler.compile(repeat(0, 10, 16, DOUBLE), 160).isContiguous());
    assertTrue(PlanCompiler.compile(repeat(0, 10, 8, DOUBLE), 80).isContiguous());
    assertFalse(PlanCompiler.compile(repeat(0, 10, 8, DOUBLE), 79).isContiguous());
    assertFalse(PlanCompiler.compile(repeat(0, 10, 8, DOUBLE), -80).isContiguous());
  }

  @Test
  void oneElementWithoutGapsIsARunWhereverTheNextBegins() {
    Plan row = PlanCompiler.compile(repeat(24, 10, 8, DOUBLE), 400);
    assertFalse(row.isContiguous());
    assertTrue(row.isRun(1));
    assertFalse(row.isRun(2));
    assertTrue(PlanCompiler.compile(repeat(0, 10, 8, DOUBLE), 80).isRun(2));
    assertFalse(PlanCompiler.compile(repeat(0, 10, 16, DOUBLE), 160).isRun(1));
  }

  @Test
  void listsWithEqualDistancesAreLoops() {
    assertEquals(
        "every 999: 3 every 40 of 16 at 8", text(scatter(longs(8, 48, 88), longs(2, 2, 2), 8, DOUBLE), 999));
    assertEquals(
        "every 999: 3 every 400 of 20 every 16 of 8 at 0",
        text(scatter(longs(0, 400, 800), longs(20, 20, 20), 16, DOUBLE), 999));
    assertEquals("contiguous 56", text(scatter(longs(0, 8, 40), longs(1, 4, 2), 8, DOUBLE), 56));
    assertEquals(
        "every 999: 30 every 64 of {4 at 0, 55 at 8} at 0",
        text(scatter(longs(0, 640), longs(10, 20), 64, PARTICLE), 999));
  }

  @Test
  @DisplayName("S1-4.1.11-b: typemap order is kept")
  void orderIsKept() {
    assertEquals("every 8: 2 every -4 of 4 at 4", text(sequence(run(4, 4), run(0, 4)), 8));
    assertEquals("every 28: 4 at 20, 8 at 0", text(scatter(longs(20, 0), longs(1, 2), 4, run(0, 4)), 28));
  }

  @Test
  void irregularBlocksAreLists() {
    assertEquals(
        "every 999: 8 at 8, 16 at 24", text(scatter(longs(8, 24, 32), longs(1, 1, 1), 0, DOUBLE), 999));
    assertEquals(
        "every 999: 8 at each of {0, 16, 40} at 8", text(scatter(longs(8, 24, 48), longs(1, 1, 1), 0, DOUBLE), 999));
    assertEquals(
        "every 64: 8 at 0, 16 at 16", text(scatter(longs(0, 16, 24), longs(1, 1, 1), 0, DOUBLE), 64));
  }

  @Test
  void smallLoopsInsideAreLists() {
    assertEquals(
        "every 500: 8 at each of {0, 16, 100, 116} at 0", text(repeat(0, 2, 100, repeat(0, 2, 16, DOUBLE)), 500));
    assertEquals(
        "every 5000: 20 every 100 of 2 every 16 of 8 at 0", text(repeat(0, 20, 100, repeat(0, 2, 16, DOUBLE)), 5000));
    assertEquals(
        "every 600: 4 at 0, 8 at 8, 8 at 24, 8 at 40, 2 at 56",
        text(sequence(run(0, 4), repeat(8, 3, 16, DOUBLE), run(56, 2)), 600));
  }

  @Test
  void sequencesKeepTheirLoops() {
    assertEquals(
        "every 9000:\n  4 at 0, 2 at 8\n  1000 every 8 of 4 at 16\n  8 at 8500",
        text(sequence(run(0, 4), run(8, 2), repeat(16, 1000, 8, run(0, 4)), run(8500, 8)), 9000));
  }

  @Test
  void equalNeighboursInASequenceAreLoops() {
    ByteShape row = repeat(0, 50, 16, DOUBLE);
    assertEquals(
        "every 9999: 3 every 1000 of 50 every 16 of 8 at 0",
        text(sequence(row, repeat(1000, 1, 0, row), repeat(2000, 1, 0, row)), 9999));
    assertEquals(
        "every 9999: 51 every 16 of 8 at 0", text(sequence(row, run(800, 8)), 9999));
    assertEquals(
        "every 9999: 51 every 16 of 8 at 0", text(sequence(run(0, 8), repeat(16, 50, 16, DOUBLE)), 9999));
    assertEquals(
        "every 9999: 100 every 16 of 8 at 0", text(sequence(row, repeat(800, 50, 16, DOUBLE)), 9999));
    assertEquals(
        "every 200: 4 at 0, 55 at 8, 4 at 64, 55 at 72, 4 at 128, 55 at 136",
        text(sequence(PARTICLE, repeat(64, 1, 0, PARTICLE), repeat(128, 1, 0, PARTICLE)), 200));
  }

  @Test
  void hugeNestsStayNests() {
    ByteShape huge = repeat(0, 1L << 20, 1L << 30, repeat(0, 1L << 20, 16, DOUBLE));
    Plan plan = PlanCompiler.compile(huge, 1L << 50);
    assertEquals(1L << 43, plan.size());
    assertEquals(1L << 40, plan.runs());
    assertTrue(plan.flattenedBytes() < 100);
    ByteShape rows = scatter(longs(0, 1L << 40), longs(1L << 30, 1L << 20), 16, DOUBLE);
    assertEquals((1L << 30) + (1L << 20), PlanCompiler.compile(rows, 0).runs());
    assertEquals(
        "every 0: rows of {1073741824, 1048576} every 16 at each of {0, 1099511627776} of 8 at 0", text(rows, 0));
  }

  @Test
  void longListsAreCutShortInTheText() {
    long[] displacements = new long[100_000];
    long[] counts = new long[displacements.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = 1 + i % 3;
      displacements[i] = 32L * i;
    }
    Plan plan = PlanCompiler.compile(scatter(displacements, counts, 8, DOUBLE), 3_200_000);
    assertEquals(100_000, plan.runs());
    assertTrue(plan.toString().endsWith(", ... (100000)"), plan.toString());
    assertTrue(plan.toString().startsWith("every 3200000: 8 at 0, 16 at 32, 24 at 64, 8 at 96, "), plan.toString());
  }

  @Test
  void manyPartsOfAStruct() {
    List<ByteShape> parts = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      parts.add(run(12L * i, 4 + i % 5));
    }
    assertEquals(100_000, PlanCompiler.compile(new ByteShape.Sequence(parts), 0).runs());
  }

  @Test
  void sumsThatDoNotFitAreErrors() {
    ByteShape most = run(0, Long.MAX_VALUE);
    for (ByteShape shape : List.of(
        repeat(0, 2, 0, most), repeat(Long.MAX_VALUE, 1, 0, DOUBLE), repeat(0, 3, Long.MAX_VALUE, DOUBLE),
        sequence(most, most), sequence(run(Long.MIN_VALUE, 8), run(Long.MAX_VALUE, 8)),
        scatter(longs(0, 5), longs(Long.MAX_VALUE, Long.MAX_VALUE), 8, DOUBLE),
        scatter(longs(0, Long.MAX_VALUE), longs(3, 3), 32, PARTICLE), run(Long.MAX_VALUE - 4, 8))) {
      MpiException refused = assertThrows(MpiException.class, () -> PlanCompiler.compile(shape, 8));
      assertEquals(ErrorClass.ERR_ARG, refused.errorClass());
    }
  }
}
