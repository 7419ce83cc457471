// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.function.Executable;

/** Seeds of randomised tests: new ones for each run, printed on failure, so that the run can be repeated. */
public final class Seeds {
  private static final String PROPERTY = "ffmpi.test.seed";

  private Seeds() {}

  /** Returns the seed of one invocation: the one of the system property, or a new one. */
  public static long next() {
    return Long.getLong(PROPERTY, ThreadLocalRandom.current().nextLong());
  }

  public static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** Runs a rank's part; a failure says how to repeat it. */
  public static void run(long seed, Executable body) {
    try {
      body.execute();
    } catch (Throwable e) {
      throw new AssertionError("with -D" + PROPERTY + "=" + seed + ": " + e, e);
    }
  }
}
