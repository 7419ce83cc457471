// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ffmpi.Mpi;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.WorldStarter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of real JVMs, started from Java. */
@Tag("process")
@Timeout(240)
class JobProcessTest {
  /** JVM options of the ranks that the build sets for all tests. */
  private static final String[] JVM_OPTIONS =
      Stream.of(System.getProperty("ffmpi.test.jvm.options", "").split("\\s+"))
          .filter(option -> !option.isEmpty())
          .toArray(String[]::new);

  /** A second is promised, and printed by these tests; asserted is only what a very busy machine still holds. */
  private static final long SOON_MILLIS = 20_000;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Launcher launcher(int ranks, Class<?> program, String... arguments) {
    return Launcher.of(ranks)
        .javaOptions(JVM_OPTIONS)
        .main(program.getName(), arguments)
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(120));
  }

  private int run(int ranks, Class<?> program, String... arguments) throws InterruptedException {
    return launcher(ranks, program, arguments).run();
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void awaitOutput(String text, int times) throws InterruptedException {
    long deadline = System.nanoTime() + 100_000_000_000L;
    while (output().split(text, -1).length <= times) {
      assertTrue(System.nanoTime() < deadline, () -> "no '" + text + "' in: " + output() + errors());
      Thread.sleep(5);
    }
  }

  private static long millisSince(long start) {
    return (System.nanoTime() - start) / 1_000_000;
  }

  @Test
  void everyRankRunsAndTheJobSucceeds() throws Exception {
    assertEquals(0, run(3, Programs.Hello.class));
    assertEquals(
        List.of("hello from rank 0 of 3", "hello from rank 1 of 3", "hello from rank 2 of 3"),
        output().lines().sorted().toList());
    assertEquals("", errors());
  }

  @Test
  void settingsAndArgumentsReachTheRanks() throws Exception {
    Launcher two = launcher(1, Programs.Show.class, "a b", "c").setting("ffmpi.ring.slots", "32").environment("X", "1");
    int code = two.and(1).main(Programs.Show.class.getName(), "other").tagOutput().run();
    assertEquals(0, code);
    List<String> lines = output().lines().sorted().toList();
    assertTrue(lines.get(0).startsWith("[0] 0: a b c terminal=0 cores="), lines.get(0));
    assertTrue(lines.get(0).endsWith("slots=32 x=1"), lines.get(0));
    assertTrue(lines.get(1).startsWith("[1] 1: other "), lines.get(1));
    assertTrue(lines.get(1).endsWith("slots=32 x=null"), lines.get(1));
  }

  @Test
  void ranksKnowHowTheyWereStarted() throws Exception {
    Launcher two = launcher(2, Programs.HowStarted.class, "-x", "a b").setting("ffmpi.errors", "return");
    assertEquals(0, two.and(1).main(Programs.HowStarted.class.getName()).run(), this::errors);
    String name = Programs.HowStarted.class.getName();
    assertEquals(
        List.of(
            "0/0: true " + name + " -x a b 2 mpi_errors_return", "1/0: true " + name + " -x a b 2 mpi_errors_return",
            "2/1: true " + name + " - 1 mpi_errors_return"),
        output().lines().sorted().toList());
  }

  @Test
  void exitCodesThatAProcessCannotHaveAreFailuresAllTheSame() throws Exception {
    assertTrue((run(1, Programs.AbortsWith256.class) & 0xFF) != 0, this::errors);
  }

  @Test
  @DisplayName("S1-2.7-a: ranks run different programs")
  void ranksRunDifferentPrograms() throws Exception {
    Launcher two = launcher(2, Programs.Hello.class).and(1).main(Programs.Show.class.getName(), "alone");
    assertEquals(0, two.run());
    List<String> lines = output().lines().sorted().toList();
    assertTrue(lines.get(0).startsWith("2: alone "), lines.get(0));
    assertEquals(List.of("hello from rank 0 of 3", "hello from rank 1 of 3"), lines.subList(1, 3));
  }

  @Test
  void theFirstFailureIsTheJobsExitCode() throws Exception {
    assertEquals(3, run(3, Programs.RankOneExitsWithThree.class));
    assertTrue(
        errors().matches(
            "mpirun: rank 1 \\(pid \\d+\\) ended with exit code 3; the other 2 ranks were ended\n"), errors());
  }

  @Test
  void aKilledRankTakesTheOthersWithItWithinASecond() throws Exception {
    try (Job job = launcher(3, Programs.StubbornSleep.class).start()) {
      awaitOutput("ready", 3);
      long start = System.nanoTime();
      job.process(2).destroyForcibly();
      assertEquals(137, job.await());
      long millis = millisSince(start);
      System.out.println("JobProcessTest: all gone " + millis + " ms after a kill");
      assertTrue(millis < SOON_MILLIS, millis + " ms");
      for (int r = 0; r < 3; r++) {
        assertFalse(job.process(r).isAlive());
      }
    }
    assertTrue(errors().contains("died of SIGKILL, exit code 137; the other 2 ranks were ended\n"), errors());
  }

  @Test
  void closingAJobEndsItsRanks() throws Exception {
    Job job = launcher(2, Programs.Sleep.class).start();
    awaitOutput("ready", 2);
    long start = System.nanoTime();
    job.close();
    assertTrue(millisSince(start) < SOON_MILLIS, millisSince(start) + " ms");
    assertFalse(job.process(0).isAlive());
    assertEquals(143, job.await());
  }

  @Test
  void linesOfRanksNeverMix() throws Exception {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    assertEquals(0, launcher(4, Programs.ManyLines.class).output(both).errors(both).run());
    Map<String, Integer> next = new HashMap<>();
    for (String line : both.toString(StandardCharsets.UTF_8).lines().toList()) {
      assertTrue(line.matches("\\d (error )?\\d+ x{150}"), line);
      String source = line.replaceAll("^(\\d( error)?).*", "$1");
      int number = Integer.parseInt(line.replaceAll("^\\d (error )?(\\d+) .*", "$2"));
      assertEquals(next.getOrDefault(source, 0), number, source);
      next.put(source, number + 1);
    }
    assertEquals(8, next.size());
    next.values().forEach(n -> assertEquals(400, n));
  }

  @Test
  void aPromptOfRankZeroIsShown() throws Exception {
    try (Job _ = launcher(2, Programs.Prompt.class).start()) {
      awaitOutput("name\\? ", 1);
      while (!errors().contains("printed by rank 1")) {
        Thread.sleep(5); // the test's own time limit ends this
      }
      assertFalse(output().contains("alone"), output());
    }
    assertTrue(output().contains("name? \nnever shown alone"), output());
  }

  @Test
  void dotsThatKeepComingAreShown() throws Exception {
    try (Job _ = launcher(1, Programs.Dots.class).start()) {
      awaitOutput("\\.", 20);
    }
  }

  @Test
  void aTimeLimitShowsWhereRanksAre() throws Exception {
    WorldStarter.Outcome outcome =
        new ProcessWorldStarter()
            .run(
                new WorldStarter.Spec(
                    2,
                    List.of("-cp", System.getProperty("java.class.path")),
                    List.of(Programs.Sleep.class.getName()),
                    Map.of("ffmpi.spin", "10"),
                    Duration.ofMillis(1500)));
    assertTrue(outcome.timedOut());
    assertEquals(Job.TIMED_OUT, outcome.exitCode());
    assertEquals(2, outcome.output().lines().filter(l -> l.startsWith("ready")).count());
    for (String part : List.of("stacks of rank 0", "stacks of rank 1", "Programs.sleepForever", "within 1500 ms")) {
      assertTrue(outcome.errors().contains(part), part + " in " + outcome.errors());
    }
  }

  /** All ranks send to all; there is no room for all the ways. */
  static final class AllSend {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        int size = mpi.world().size();
        for (int other = 0; other < size; other++) {
          mpi.world().send(new int[1], other, 0);
        }
        for (int other = 0; other < size; other++) {
          mpi.world().recv(new int[1], other, 0);
        }
      });
    }
  }

  @Test
  @DisplayName("a shortage of shared memory, which all ranks meet, is reported once, with what to set")
  void littleSharedMemory() throws Exception {
    Launcher six = launcher(6, AllSend.class).setting("ffmpi.shm.limit", "1M");
    assertEquals(ErrorClass.ERR_NO_MEM.code(), six.run());
    String said = errors();
    assertEquals(1, said.lines().filter(l -> l.contains("ffmpi: rank ")).count(), said);
    assertEquals(1, said.lines().filter(l -> l.startsWith("mpirun: ")).count(), said);
    assertTrue(said.contains("set ffmpi.shm.limit to more, or ffmpi.ring.bulk, ffmpi.ring.slots"), said);
  }

  @Test
  void whatCannotBeStartedIsSaidInOneSentence() {
    MpiException e = assertThrows(MpiException.class, () -> Launcher.of(2).main("no.such.Main").start());
    assertEquals(ErrorClass.ERR_SPAWN, e.errorClass());
    assertTrue(e.getMessage().contains("main class no.such.Main is not on the class path"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(2).classPath("nowhere.jar").main("a.B").start());
    assertTrue(e.getMessage().contains("nowhere.jar does not exist"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(2).jar(Path.of("nowhere.jar")).start());
    assertTrue(e.getMessage().contains("nowhere.jar does not exist"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(2).javaOptions("-p", "x").module("a.b/a.b.C").start());
    assertTrue(e.getMessage().contains("module a.b is not on the module path x"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(0));
    assertTrue(e.getMessage().contains("ranks = 0"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(2).start());
    assertTrue(e.getMessage().contains("no class, jar or module"), e.getMessage());
    e = assertThrows(MpiException.class, () -> Launcher.of(1).setting("ffmpi.no.such", "1"));
    assertTrue(e.getMessage().contains("ffmpi.no.such"), e.getMessage());
  }

  @Test
  void moreRanksThanMemoryAllowsAreRefused() {
    MpiException e = assertThrows(MpiException.class, () -> launcher(10_000_000, Programs.Hello.class).start());
    assertEquals(ErrorClass.ERR_NO_MEM, e.errorClass());
    assertTrue(e.getMessage().contains("10000000 ranks need at least 240000000 MB"), e.getMessage());
  }

  @Test
  void tooLittleSharedMemoryIsSaidInOneSentence() {
    Launcher launcher = launcher(500, Programs.Hello.class).setting("ffmpi.shm.limit", "1M");
    MpiException e = assertThrows(MpiException.class, launcher::start);
    assertEquals(ErrorClass.ERR_NO_MEM, e.errorClass());
    assertTrue(e.getMessage().contains("500 ranks need"), e.getMessage());
  }

  @Test
  void aRankThatExitsWithZeroButDidNotFinalizeHasFailed() throws Exception {
    assertEquals(1, run(3, Programs.ExitWithoutFinalize.class));
    assertTrue(
        errors().matches("(?s).*mpirun: rank 1 \\(pid \\d+\\) ended with exit code 0 without finalizing MPI;.*"),
        errors());
  }

  @Test
  void aRankThatNeverInitializesWhileOthersDoHasFailed() throws Exception {
    assertEquals(1, run(2, Programs.NeverInitializes.class));
    assertTrue(errors().contains("ended with exit code 0 without initializing MPI, which other ranks did"), errors());
  }

  @Test
  void anExitCodeAfterFinalizeIsKept() throws Exception {
    assertEquals(7, run(2, Programs.ExitCodeAfterFinalize.class));
    assertTrue(errors().contains("ended with exit code 7\n"), errors());
  }

  @Test
  void anExceptionEndsTheJobWithItsStackTrace() throws Exception {
    assertEquals(1, run(3, Programs.BodyThrows.class));
    assertTrue(errors().contains("IllegalStateException: the boom of rank 1"), errors());
    assertTrue(errors().contains("\tat org.ffmpi.launcher.Programs$BodyThrows"), errors());
    String[] sentences = errors().lines().filter(l -> l.startsWith("mpirun: ")).toArray(String[]::new);
    assertEquals(1, sentences.length, errors());
    assertTrue(
        sentences[0].matches("mpirun: rank 1 \\(pid \\d+\\) ended the job with exit code 1: .*the boom of rank 1.*"),
        sentences[0]);
  }

  @Test
  void anAbortIsTheJobsExitCode() throws Exception {
    assertEquals(5, run(3, Programs.Aborts.class));
    assertEquals(1, errors().lines().filter(l -> l.startsWith("mpirun: rank 2")).count(), errors());
  }
}
