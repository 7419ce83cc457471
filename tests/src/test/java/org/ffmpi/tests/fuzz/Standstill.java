// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.ffmpi.ThreadWorld;

/** Waits for worlds of threads that may stand still for ever. */
final class Standstill {
  private Standstill() {}

  /** Waits until all ranks have ended, or a count has not grown for some time; returns whether they have ended. */
  static boolean ended(ThreadWorld world, LongSupplier progress, long nanos) {
    long seen = progress.getAsLong();
    long since = System.nanoTime();
    while (!ended(world, Duration.ofMillis(2))) {
      long now = System.nanoTime();
      if (progress.getAsLong() != seen) {
        seen = progress.getAsLong();
        since = now;
      } else if (now - since > nanos) {
        return false;
      }
    }
    return true;
  }

  /** Waits until all ranks have ended, for a limited time. */
  static boolean ended(ThreadWorld world, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      for (Thread thread : world.threads()) {
        if (!thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns where the ranks are that have not ended. */
  static String stacks(ThreadWorld world) {
    return world.threads().stream()
        .filter(Thread::isAlive)
        .map(t -> t.getName() + "\n    " + frames(t.getStackTrace(), 40))
        .collect(Collectors.joining("\n  "));
  }

  static String frames(StackTraceElement[] stack, int most) {
    return Arrays.stream(stack).limit(most).map(String::valueOf).collect(Collectors.joining("\n    "));
  }
}
