// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.ffmpi.datatype.plan.Plan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Properties of plans of random types, and their flat form, against the naive typemap. */
class RandomPlansTest {
  private static Workshop workshop;

  @BeforeAll
  static void open() {
    workshop = new Workshop();
  }

  @AfterAll
  static void close() {
    workshop.close();
  }

  @Test
  void flattenedAndReadAgain() {
    Seed.repeat(RandomTypesTest.TYPES / 4, random -> {
      Sample sample = new RandomTypes(random).next().commit();
      RandomTypesTest.with(sample, () -> {
        Plan plan = workshop.reread(TypeHandle.planOf(sample.type()));
        RandomCopiesTest.packs(workshop, random, plan, sample, random.nextInt(4));
        RandomCopiesTest.unpacks(workshop, random, plan, sample, random.nextInt(4));
      });
    });
  }

  @Test
  @DisplayName("S1-4.1.11-d: elements that name a byte twice are found")
  void overlapsAreFound() {
    Seed.repeat(RandomTypesTest.TYPES, random -> {
      Sample sample = new RandomTypes(random).next().commit();
      RandomTypesTest.with(sample, () -> {
        for (int count = 0; count < 4; count++) {
          assertEquals(sample.map().overlaps(count), TypeHandle.planOf(sample.type()).overlaps(count),
              count + " elements");
        }
      });
    });
  }

  @Test
  void runsAreVisitedInTypemapOrder() {
    Seed.repeat(RandomTypesTest.TYPES / 4, random -> {
      Sample sample = new RandomTypes(random).next().commit();
      RandomTypesTest.with(sample, () -> {
        int count = random.nextInt(4);
        List<Long> visited = new ArrayList<>();
        TypeHandle.planOf(sample.type()).forEachRun(count, (displacement, bytes) -> {
          for (long i = 0; i < bytes; i++) {
            visited.add(displacement + i);
          }
        });
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < sample.map().size() * count; i++) {
          expected.add(sample.map().displacement(i));
        }
        assertEquals(expected, visited);
      });
    });
  }
}
