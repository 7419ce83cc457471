// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stacks that overflow inside calls: the rank goes on, or ends with a sentence; it never hangs. */
@Tag("process")
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

  /** Rank 0 waits for messages while its other thread overflows its stack; rank 1 sends them now and then. */
  static final class DeepBesideWait {
    private DeepBesideWait() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        Comm world = mpi.world();
        if (world.rank() == 1) {
          while (world.iprobe(0, 2).isEmpty()) {
            world.send(new int[1], 0, 0);
            LockSupport.parkNanos(20_000_000);
          }
          world.recv(new int[1], 0, 2);
          world.send(new int[1], 0, 3);
          return;
        }
        Thread deep = Thread.ofPlatform().start(() -> {
          for (int i = 0; i < Deep.TRIES; i++) {
            Thread thread = new Thread(null, () -> Deep.overflow(world), "deep " + i, Deep.STACK);
            thread.start();
            try {
              thread.join();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        });
        while (deep.isAlive()) {
          world.recv(new int[1], 1, 0);
        }
        world.send(new int[1], 1, 2);
        world.recv(new int[1], 1, 3);
        System.out.println("all tries done");
      });
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Deep.class, DeepBesideWait.class})
  void probesThatOverflow(Class<?> program) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(program == Deep.class ? 1 : 2)
        .main(program.getName())
        .setting("ffmpi.thread.level", "multiple")
        .output(out)
        .errors(out)
        .timeout(Duration.ofSeconds(30));
    int code;
    try (var job = launcher.start()) {
      code = job.await();
    }
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(code == 0 ? said.contains("all tries done") : said.contains("StackOverflowError"), code + ": " + said);
    assertTrue(code != 124, said);
  }
}
