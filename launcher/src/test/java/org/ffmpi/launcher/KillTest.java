// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills ranks and launchers of jobs that exchange messages all the time, at random moments from before they have joined
 * until well after. Another seed: {@code -Dffmpi.test.seed=N}.
 */
@Tag("process")
@Timeout(900)
class KillTest {
  private static final int KILLS = 20;
  private static final int RANKS = 3;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** A second is promised, and every time printed; asserted is only what a very busy machine still holds. */
  private static final long SOON_MILLIS = 20_000;

  private static final int LATEST_MILLIS = 1_200;

  @Test
  void whoeverIsKilledNothingStays() throws Exception {
    long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
    System.out.println("KillTest: seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < KILLS; i++) {
      int delay = random.nextInt(LATEST_MILLIS);
      if (random.nextInt(4) == 0) {
        String what = "seed " + seed + ", kill " + i + ": launcher after " + delay + " ms";
        killLauncher(delay, mpirun -> true, what, Programs.ExchangesForever.class);
      } else {
        int victim = random.nextInt(RANKS);
        killRank(victim, delay, "seed " + seed + ", kill " + i + ": rank " + victim + " after " + delay + " ms");
      }
    }
    assertEquals(0, Launcher.of(1).main(Programs.Hello.class.getName()).run());
    assertEquals(List.of(), namesOfTheDead(), "seed " + seed);
  }

  /** Ranks that do not use MPI, or do so later, do not see that the launcher is gone. */
  @Test
  void ranksThatHaveNotJoinedEndWithTheirLauncher() throws Exception {
    killLauncher(0, KillTest::isGuarded, "a launcher of ranks that never join", Programs.NeverJoins.class);
  }

  private static void killRank(int victim, int delay, String what) throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Job job =
        Launcher.of(RANKS)
            .main(Programs.ExchangesForever.class.getName())
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .start()) {
      Thread.sleep(delay);
      long start = System.nanoTime();
      job.process(victim).destroyForcibly();
      int code = job.await();
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.println(what + ": all gone after " + millis + " ms");
      String said = what + ": " + err.toString(StandardCharsets.UTF_8);
      assertEquals(137, code, said);
      assertTrue(millis < SOON_MILLIS, said + millis + " ms");
      assertTrue(said.contains("mpirun: rank " + victim + " (pid "), said);
      assertTrue(said.contains("died of SIGKILL, exit code 137; the other 2 ranks were ended\n"), said);
      for (int r = 0; r < RANKS; r++) {
        assertTrue(!job.process(r).isAlive(), said);
      }
    }
  }

  /**
   * Kills a launcher.
   *
   * @param delay milliseconds after its start
   * @param isReady whether it may be killed
   */
  private static void killLauncher(int delay, Predicate<Process> isReady, String what, Class<?> program)
      throws Exception {
    String classPath = System.getProperty("java.class.path");
    Process mpirun =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", classPath, MpirunMain.class.getName(),
                "-n", Integer.toString(RANKS), "-cp", classPath, program.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Thread.sleep(delay);
    while (!isReady.test(mpirun) && mpirun.isAlive()) {
      Thread.sleep(20);
    }
    List<ProcessHandle> family = new ArrayList<>(mpirun.descendants().toList());
    long start = System.nanoTime();
    mpirun.destroyForcibly();
    mpirun.waitFor();
    assertTrue(
        Gone.within(SOON_MILLIS, family), () -> what + ": left: " + family.stream().filter(p -> !Gone.is(p)).toList());
    System.out.println(what + ": all gone after " + (System.nanoTime() - start) / 1_000_000 + " ms");
  }

  /** Returns whether the guard of ranks that have not joined runs, and not only the JVM's helper that becomes it. */
  private static boolean isGuarded(Process mpirun) {
    return mpirun.descendants().anyMatch(p -> p.info().commandLine().orElse("").contains("ffmpi-guard"));
  }

  /** Lists what is left in shared memory of processes that are gone. */
  private static List<String> namesOfTheDead() throws IOException {
    try (Stream<Path> entries = Files.list(SHARED_MEMORY)) {
      return entries
          .map(e -> e.getFileName().toString())
          .filter(n -> n.matches("ffmpi-\\d+-.*"))
          .filter(n -> ProcessHandle.of(Long.parseLong(n.split("-")[1])).isEmpty())
          .toList();
    }
  }
}
