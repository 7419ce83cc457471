// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;
import org.junit.jupiter.api.Test;

/** Equal types share a plan. */
class PlanCacheTest {
  private static final ByteShape DOUBLE = new ByteShape.Run(0, 8);

  @Test
  void equalNormalFormsAreOnePlan() {
    Plan plan = PlanCompiler.compile(new ByteShape.Repeat(0, 12, 16, DOUBLE), 1024);
    ByteShape nested = new ByteShape.Repeat(0, 3, 64, new ByteShape.Repeat(0, 4, 16, new ByteShape.Run(0, 8)));
    assertSame(plan, PlanCompiler.compile(nested, 1024));
    ByteShape listed = new ByteShape.Scatter(new long[] {0, 64}, new long[] {4, 8}, 16, DOUBLE);
    assertSame(plan, PlanCompiler.compile(listed, 1024));
    assertNotSame(plan, PlanCompiler.compile(nested, 1032));
    assertNotSame(plan, PlanCompiler.compile(new ByteShape.Repeat(8, 12, 16, DOUBLE), 1024));
    assertNotSame(plan, PlanCompiler.compile(new ByteShape.Repeat(0, 12, 24, DOUBLE), 1024));
  }

  @Test
  void aSignatureMakesAnotherPlanWithTheSameCore() {
    Plan plan = PlanCompiler.compile(new ByteShape.Repeat(0, 12, 16, DOUBLE), 1024);
    assertNull(plan.signature());
    StreamSignature signature = new StreamSignature() {
      @Override
      public long hash(long bytes) {
        return bytes;
      }

      @Override
      public boolean matchesAnything() {
        return false;
      }

      @Override
      public String text(long bytes) {
        return "";
      }
    };
    Plan signed = plan.withSignature(signature);
    assertSame(signature, signed.signature());
    assertSame(plan.core(), signed.core());
    assertNull(plan.signature());
    assertEquals(plan.toString(), signed.toString());
    assertSame(plan, PlanCompiler.compile(new ByteShape.Repeat(0, 12, 16, DOUBLE), 1024));
  }

  @Test
  void longListsPushOldPlansOut() {
    PlanCache cache = new PlanCache();
    PlacedPattern first = Lowering.lower(new ByteShape.Repeat(0, 12, 16, DOUBLE));
    Plan plan = cache.plan(first, 1);
    assertSame(plan, cache.plan(first, 1));
    for (int i = 0; i < 40; i++) {
      long[] displacements = new long[100_000];
      long[] counts = new long[displacements.length];
      for (int k = 0; k < counts.length; k++) {
        displacements[k] = 40L * k + i;
        counts[k] = 1 + k % 3;
      }
      PlacedPattern list = Lowering.lower(new ByteShape.Scatter(displacements, counts, 8, DOUBLE));
      Plan made = cache.plan(list, i);
      assertSame(made, cache.plan(list, i));
    }
    assertNotSame(plan, cache.plan(first, 1));
    assertEquals(List.of(plan.toString()), List.of(cache.plan(first, 1).toString()));
  }
}
