// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stacks that overflow inside calls: the rank goes on, or ends with a sentence; it never hangs. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StackOverflowTest {
  /** Threads with small stacks probe ever deeper, and the main thread goes on after each. */
  static final class Deep {
    private static final int TRIES = 200;
    private static final int STACK = 200 << 10;

    private Deep() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        for (int i = 0; i < TRIES; i++) {
          Thread thread = new Thread(null, () -> overflow(world), "deep " + i, STACK);
          thread.start();
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          world.iprobe(0, 1);
        }
        System.out.println("all tries done");
      });
    }

    private static void overflow(Comm world) {
      try {
        probe(world);
      } catch (StackOverflowError e) {
        // What is tested.
      }
    }

    private static void probe(Comm world) {
      world.iprobe(0, 1);
      probe(world);
    }
  }

  @Test
  void probesThatOverflow() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Launcher launcher = Launcher.of(1)
        .main(Deep.class.getName())
        .setting("ffmpi.thread.level", "multiple")
        .output(out)
        .errors(out)
        .timeout(Duration.ofSeconds(60));
    int code;
    try (var job = launcher.start()) {
      code = job.await();
    }
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(code == 0 ? said.contains("all tries done") : said.contains("StackOverflowError"), code + ": " + said);
    assertTrue(code != 124, said);
  }
}
