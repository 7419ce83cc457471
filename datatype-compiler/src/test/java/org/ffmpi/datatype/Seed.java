// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Runs randomised checks; a failure names the seed that repeats it with {@code -Dffmpi.test.seed=…}. */
public final class Seed {
  private Seed() {}

  /** Runs a check several times, each with its own printed seed; a given seed runs once. */
  public static void repeat(int times, Consumer<RandomGenerator> check) {
    Long given = Long.getLong("ffmpi.test.seed");
    for (int i = 0; i < (given == null ? times : 1); i++) {
      long seed = given == null ? ThreadLocalRandom.current().nextLong() : given;
      try {
        check.accept(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
      } catch (Throwable e) {
        throw new AssertionError("with -Dffmpi.test.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
