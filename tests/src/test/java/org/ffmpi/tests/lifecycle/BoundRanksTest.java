// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that have waited for a while are bound to a core each, however the C library has been linked. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BoundRanksTest {
  /** Both ranks exchange messages until each is bound, or long enough. */
  static final class Exchange {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

    private Exchange() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        long start = System.nanoTime();
        int[] bound = {0};
        while (bound[0] < 2 && System.nanoTime() - start < LONG_ENOUGH.toNanos()) {
          int[] cores = {cores().matches("\\d+") ? 1 : 0};
          // Rank 1 is late, so that rank 0 has to wait.
          if (world.rank() == 1) {
            pause();
            world.send(cores, 0, 0);
            world.recv(bound, 0, 0);
          } else {
            world.recv(bound, 1, 0);
            bound[0] += cores[0];
            pause();
            world.send(bound, 1, 0);
          }
        }
        System.out.println("rank " + world.rank() + " on core " + cores());
      });
    }

    private static void pause() {
      try {
        Thread.sleep(3);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Returns the cores on which the calling thread may run. */
    private static String cores() {
      String name = "Cpus_allowed_list:";
      try {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream().filter(line -> line.startsWith(name))
            .findFirst().orElseThrow().substring(name.length()).strip();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String run(String cores) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(2)
        .main(Exchange.class.getName())
        .setting("ffmpi.cores", cores)
        .output(out)
        .errors(out)
        .timeout(Duration.ofSeconds(100));
    try (var job = launcher.start()) {
      assertEquals(0, job.await(), out.toString(StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachRankGetsACore() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
    String said = run("0,1");
    assertEquals("rank 0 on core 0|rank 1 on core 1",
        said.lines().filter(line -> line.contains(" on core ")).sorted().reduce((a, b) -> a + "|" + b).orElse(said));
  }
}
