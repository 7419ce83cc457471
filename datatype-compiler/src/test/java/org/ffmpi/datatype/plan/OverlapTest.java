// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bytes that elements name twice. */
class OverlapTest {
  private static final ByteShape DOUBLE = new ByteShape.Run(0, 8);

  private static ByteShape repeat(long count, long stride, ByteShape body) {
    return new ByteShape.Repeat(0, count, stride, body);
  }

  @Test
  void asTheNaiveReadingSays() {
    Seed.repeat(600, random -> {
      Sample sample = Sample.random(random, 600);
      assertEquals(sample.oracle.overlaps(1), sample.plan.overlaps(1), sample::toString);
      assertEquals(sample.oracle.overlaps(sample.count), sample.plan.overlaps(sample.count), sample::toString);
    });
  }

  @Test
  void theSearchFindsTheSame() {
    Seed.repeat(600, random -> {
      Sample sample = Sample.random(random, 600);
      PlanCore core = (PlanCore) sample.plan.core();
      Pattern all = Patterns.loop(sample.count, sample.extent, core.pattern.element);
      assertEquals(sample.oracle.overlaps(sample.count), OverlapSearch.meetsItself(all), sample::toString);
    });
  }

  @Test
  @DisplayName("S1-4.10: vector(3, 5, 4) overlaps by one element")
  void overlappingVector() {
    Plan plan = PlanCompiler.compile(repeat(3, 16, new ByteShape.Run(0, 20)), 52);
    assertTrue(plan.overlaps(1));
    assertFalse(plan.overlaps(0));
  }

  @Test
  void onlySeveralElementsOverlap() {
    Plan plan = PlanCompiler.compile(repeat(4, 16, DOUBLE), 40);
    assertFalse(plan.overlaps(1));
    assertFalse(plan.overlaps(2));
    assertFalse(plan.overlaps(2));
    Plan tight = PlanCompiler.compile(repeat(4, 16, DOUBLE), 32);
    assertFalse(tight.overlaps(1));
    assertTrue(tight.overlaps(3));
    assertTrue(tight.overlaps(3));
    assertTrue(tight.overlaps(2));
    assertFalse(tight.overlaps(1));
  }

  @Test
  void hugeNestsAreSettledAtOnce() {
    long n = 1L << 20;
    Plan transpose = PlanCompiler.compile(repeat(n, 8, repeat(n, 8 * n, DOUBLE)), 8 * n * n);
    assertFalse(transpose.overlaps(1));
    assertFalse(transpose.overlaps(1 << 10));
    assertTrue(PlanCompiler.compile(repeat(n, 4, repeat(n, 8 * n, DOUBLE)), 8 * n * n).overlaps(1));
    assertTrue(PlanCompiler.compile(repeat(n, 8, repeat(n, 8 * n - 8, DOUBLE)), 8 * n * n).overlaps(1));
    ByteShape apart = new ByteShape.Repeat(8, n, 16, DOUBLE);
    ByteShape woven = new ByteShape.Sequence(List.of(repeat(n, 16, DOUBLE), apart));
    assertFalse(PlanCompiler.compile(woven, 16 * n).overlaps(1));
    ByteShape met = new ByteShape.Sequence(List.of(repeat(n, 16, DOUBLE), new ByteShape.Repeat(12, n, 16, DOUBLE)));
    assertTrue(PlanCompiler.compile(met, 16 * n).overlaps(1));
  }

  @Test
  void nothingOverlapsNothing() {
    assertFalse(PlanCompiler.compile(new ByteShape.Run(0, 0), 0).overlaps(Long.MAX_VALUE));
  }
}
