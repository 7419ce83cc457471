// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Explorer;
import org.ffmpi.explore.Results;

/** A program that is right, or has its mistake. Used by the thread of a test. */
@FunctionalInterface
interface Twins {
  /** Limits that no test reaches. */
  Explorer.Limits LIMITS = new Explorer.Limits(20_000, Duration.ofSeconds(60), Duration.ofSeconds(20));

  /** Runs one rank. */
  void run(Mpi mpi, boolean wrong, Results results) throws Exception;

  /** Twins that use their world alone. */
  @FunctionalInterface
  interface OfWorld {
    /** Runs one rank. */
    void run(Comm world, boolean wrong, Results results) throws Exception;
  }

  /** Returns the exploration of one of them, which is still to run. */
  static Explorer explorer(int ranks, boolean wrong, Twins twins) {
    return new Explorer(ranks, Map.of("ffmpi.errors", "return"),
        (mpi, results) -> twins.run(mpi, wrong, results), () -> {}, LIMITS);
  }

  static Exploration.Finding expect(Exploration.Kind kind, int ranks, OfWorld twins) {
    return expectOf(kind, ranks, (mpi, wrong, results) -> twins.run(mpi.world(), wrong, results));
  }

  /** Expects that the mistake is found, that its line of choices shows it again, and that the twin has none. */
  static Exploration.Finding expectOf(Exploration.Kind kind, int ranks, Twins twins) {
    Exploration right = explorer(ranks, false, twins).all();
    assertNull(right.finding(), () -> right.finding().text());
    assertTrue(right.complete(), right::summary);
    Exploration.Finding found = explorer(ranks, true, twins).all().finding();
    assertNotNull(found, "the mistake is not found");
    assertEquals(kind, found.kind(), found::text);
    Exploration.Finding again = explorer(ranks, true, twins).one(found.choices()).finding();
    if (!found.text().contains("differs between orders")) {
      assertNotNull(again, found::choices);
      assertEquals(kind, again.kind(), again::text);
    }
    return found;
  }
}
