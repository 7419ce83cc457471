// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.launcher.Job;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.ChildJvm;
import org.ffmpi.tests.support.RankJvm;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of processes that spawn, and that meet: what they compute, and how they end. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpawnedProcessesTest {
  @TempDir Path temporary;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Launcher launcher(int ranks, String... arguments) {
    return RankJvm.launcher(ranks)
        .main(ConnectScenario.class.getName(), arguments)
        .setting("ffmpi.port.folder", temporary.resolve("ports").toString())
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(60));
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  private long count(String line) {
    return said().lines().filter(each -> each.contains(line)).count();
  }

  @ParameterizedTest
  @CsvSource({"1,1,3", "2,4,2"})
  void parentsSpawnAgainAndAgain(int parents, int children, int rounds) throws InterruptedException {
    int code = launcher(parents, "table", children + "", rounds + "").run();
    assertEquals(0, code, this::said);
    assertEquals(parents, count("all right"), this::said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"class", "option", "exit"})
  void whatCannotBeStartedIsAnError(String how) throws InterruptedException {
    int code = launcher(2, "fails", how).run();
    assertEquals(0, code, this::said);
    assertEquals(2, count("right error"), this::said);
  }

  @Test
  void aJobWithoutALauncherSpawns() throws Exception {
    String said = ChildJvm.run(
        ConnectScenario.class, "this test", 1, List.of("-Dffmpi.port.folder=" + temporary.resolve("ports")), "table",
        2, 2);
    assertTrue(said.contains("all right"), said);
  }

  @Test
  void aDeathReachesConnectedProcesses() throws InterruptedException {
    int code = launcher(2, "parent", "connected").run();
    assertTrue(code != 0, this::said);
    assertEquals(0, count("parent goes on"), this::said);
    assertTrue(said().contains("mpirun: rank 1 of the spawned job 1 (pid "), this::said);
    assertEquals(1, count("mpirun: "), this::said);
  }

  @Test
  void afterDisconnectADeathIsNoneOfTheOthers() throws InterruptedException {
    launcher(2, "parent", "disconnected").run();
    assertEquals(2, count("parent goes on"), this::said);
  }

  @Test
  void jobsThatWereStartedApartMeetByName() throws InterruptedException {
    try (Job server = launcher(2, "serve").start()) {
      while (count("published") == 0) {
        Thread.sleep(5);
      }
      int code = launcher(1, "ask").run();
      assertEquals(0, code, this::said);
      assertEquals(0, server.await(), this::said);
    }
    assertEquals(3, count("sum 2"), this::said);
  }

  @Test
  void theDeadAreReplaced() throws InterruptedException {
    launcher(3, "rod").setting("ffmpi.survive", "on").run();
    assertEquals(3, count("together again 3"), this::said);
  }

  @ParameterizedTest
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @ValueSource(ints = {1, 2, 4, 8})
  void manySpawnsLeaveNothing(int parents) throws InterruptedException {
    for (int children = 1; children <= 8; children *= 2) {
      out.reset();
      int code = launcher(parents, "table", children + "", "13").timeout(Duration.ofMinutes(3)).run();
      assertEquals(0, code, this::said);
      assertEquals(parents, count("all right"), this::said);
    }
    assertEquals(List.of(), ranks());
  }

  @Test
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true")
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoeverIsKilledTheJobEnds() {
    long seed = Seeds.next();
    Seeds.run(seed, () -> killAtRandom(Seeds.random(seed)));
  }

  private void killAtRandom(RandomGenerator random) throws InterruptedException {
    for (int i = 0; i < 40; i++) {
      err.reset();
      try (Job job = launcher(2, "table", "2", "10").start()) {
        Thread.sleep(300 + random.nextInt(1300));
        List<ProcessHandle> living = ranks();
        if (!living.isEmpty()) {
          living.get(random.nextInt(living.size())).destroyForcibly();
        }
        assertTrue(job.await(Duration.ofSeconds(30)), this::said);
      }
      assertEquals(List.of(), ranks());
    }
  }

  /** Returns the processes of all ranks of this test that live. */
  private static List<ProcessHandle> ranks() {
    return ProcessHandle.current().descendants()
        .filter(process -> process.info().commandLine().orElse("").contains(ConnectScenario.class.getName()))
        .toList();
  }
}
