// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Runs part of a test on several threads of one rank. */
public final class Threads {
  private Threads() {}

  /** One thread's part. */
  public interface Part {
    void run(int thread) throws Throwable;
  }

  /** Runs a part on so many threads and throws what the first one threw, without waiting for the others then. */
  public static void run(Thread.Builder builder, int threads, Part part) throws Throwable {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> started = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int number = t;
      started.add(builder.start(() -> {
        try {
          part.run(number);
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (Thread thread : started) {
      while (!thread.join(Duration.ofMillis(20))) {
        if (!failures.isEmpty()) {
          throw failures.peek(); // the others may wait for ever
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.peek();
    }
  }
}
