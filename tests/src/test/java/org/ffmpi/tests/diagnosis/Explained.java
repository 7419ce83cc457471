// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.diagnosis;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.MpiException;

/** Worlds that do not move, until their diagnosis is as expected. */
final class Explained {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** Over when the diagnosis is known, and the ranks may end. */
  final CountDownLatch known = new CountDownLatch(1);

  /** The part of a program that one rank runs. */
  interface Body {
    void run(IntraComm world) throws Exception;
  }

  /** Runs ranks until the diagnosis has an expected sentence. */
  void explains(int ranks, Map<String, String> more, Pattern expected, Body body) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("ffmpi.errors", "return");
    Mpi.Body run = mpi -> {
      try {
        body.run(mpi.world());
      } catch (MpiException e) {
        // The world has been aborted, once its diagnosis is known.
      }
    };
    try (ThreadWorld world = ThreadWorld.start(ranks, settings, run)) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      String said = world.diagnosis();
      while (!expected.matcher(said).find()) {
        if (System.nanoTime() > deadline) {
          world.abort("not explained");
          known.countDown();
          fail("expected " + expected + ", found\n" + said);
        }
        sleep(20);
        said = world.diagnosis();
      }
      world.abort("explained");
      known.countDown();
      try {
        assertTrue(world.await(LIMIT));
      } catch (MpiException e) {
        // Ranks that left after the end of the world say so.
      }
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
