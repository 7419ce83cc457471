// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.ffmpi.launcher.Launcher;

/** A job of three processes whose rank 1 is killed: the job ends, and nothing worse happens. */
public final class KilledRank {
  /** What a rank prints that has found other data than it should. */
  public static final String WRONG = "WRONG DATA";

  private KilledRank() {}

  /**
   * Runs a program until rank 1 is killed, and checks how it ends.
   *
   * @param program main class; rank 1 prints "ready" when it may be killed, and the program does not end by itself
   * @param millis how long to wait after that
   * @param args arguments of the program
   * @throws Exception when the job cannot be run
   */
  public static void endsTheJob(Class<?> program, long millis, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(3)
        .main(program.getName(), args)
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(200));
    try (var job = launcher.start()) {
      while (!out.toString(StandardCharsets.UTF_8).contains("ready")) {
        Thread.sleep(5);
      }
      Thread.sleep(millis);
      job.process(1).destroyForcibly();
      int code = job.await();
      String said = err.toString(StandardCharsets.UTF_8);
      assertEquals(137, code, said);
      assertTrue(said.contains("mpirun: rank 1 (pid "), said);
      for (String bad : List.of(WRONG, "SIGSEGV", "SIGBUS", "fatal error")) {
        assertFalse(said.contains(bad) || out.toString(StandardCharsets.UTF_8).contains(bad), said);
      }
    }
  }
}
