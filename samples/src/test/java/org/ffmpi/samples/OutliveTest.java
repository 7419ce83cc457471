// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.ThreadWorld;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The field is right, whichever rank dies, and whenever. */
@Tag("long")
class OutliveTest {
  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Runs a number of ranks, and returns the sentence of the survivors. */
  private static String run(int ranks, String... args) {
    Map<Integer, Integer> deaths = Outlive.deaths(args, ranks);
    AtomicReference<String> said = new AtomicReference<>("");
    Map<String, String> settings = Map.of("ffmpi.survive", "on", "ffmpi.errors", "return");
    try (ThreadWorld world = ThreadWorld.start(ranks, settings, mpi -> {
      String result = Outlive.run(mpi.world(), deaths, () -> {
        throw new Death();
      }, false);
      if (!result.isEmpty()) {
        said.set(result);
      }
    })) {
      try {
        assertTrue(world.await(Duration.ofSeconds(60)), "the ranks hang");
      } catch (Death death) {
        assertEquals(deaths.size() - 1, death.getSuppressed().length);
        for (Throwable other : death.getSuppressed()) {
          assertEquals(Death.class, other.getClass(), other::toString);
        }
      }
    }
    return said.get();
  }

  @Test
  void withoutLosses() {
    assertEquals("20000 cells after 400 steps, 0 of them wrong; 3 of 3 ranks are left", run(3));
  }

  @ParameterizedTest
  @CsvSource(delimiter = ' ', value = {
      "4 --kill 3", "4 --kill=0@0 3", "4 --kill=3@399 3", "5 --kill=1@60,3@60 3", "6 --kill=2@70,3@71 4",
      "4 --kill=0@100,1@200,2@300 1", "2 --kill=1@50 1"})
  void withLosses(int ranks, String kill, int left) {
    assertEquals(
        "20000 cells after 400 steps, 0 of them wrong; " + left + " of " + ranks + " ranks are left", run(ranks, kill));
  }
}
