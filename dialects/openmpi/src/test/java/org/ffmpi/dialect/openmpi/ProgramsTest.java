// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs as users of Open MPI's Java bindings write them, each rank a process. */
@Tag("process")
class ProgramsTest {
  private static final String PROGRAMS = ProgramsTest.class.getPackageName() + ".programs.";

  /** What a job printed, and how it ended. */
  private record Outcome(int code, List<String> out, String err) {}

  /** Runs a program; after the limit the stacks of all ranks are in the errors. */
  private static Outcome run(int ranks, String program, String... arguments) throws InterruptedException {
    return run(described(Launcher.of(ranks), program, arguments));
  }

  private static Launcher described(Launcher launcher, String program, String... arguments) {
    return launcher.javaOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-ea:mpi...")
        .main(PROGRAMS + program, arguments);
  }

  private static Outcome run(Launcher launcher) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        launcher
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aProgramSpawnsItself() throws InterruptedException {
    Outcome outcome = run(2, "SpawnProgram");
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(List.of("all children have added"), outcome.out(), outcome::err);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8})
  void programsPass(int ranks) throws InterruptedException {
    Outcome outcome = run(ranks, "AllPrograms");
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(List.of("all programs passed"), outcome.out(), outcome::err);
    assertEquals("", outcome.err());
  }

  @Test
  void argumentsArriveAndEveryRankSaysHello() throws InterruptedException {
    Outcome outcome = run(3, "HelloProgram", "two", "words");
    assertEquals(0, outcome.code(), outcome::err);
    Set<String> expected =
        IntStream.range(0, 3).mapToObj(i -> "hello " + i + " of 3 two words").collect(Collectors.toSet());
    assertEquals(expected, new TreeSet<>(outcome.out()));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void aNumberGoesRound(int ranks) throws InterruptedException {
    Outcome outcome = run(ranks, "RingProgram");
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(List.of("round"), outcome.out());
  }

  @Test
  void threadsDoNotDisturbOneAnother() throws InterruptedException {
    Outcome outcome = run(2, "ThreadProgram");
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(List.of("800 messages", "800 messages"), outcome.out(), outcome::err);
  }

  @Test
  void aJobOfTwoProgramsKnowsThem() throws InterruptedException {
    String program = "ProgramsOfAJobProgram";
    Outcome outcome = run(described(described(Launcher.of(1), program).and(2), program));
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(List.of("ompi_num_apps = 2", "ompi_np = 1 2", "ompi_first_rank = 0 1", "sum of programs = 2"),
        outcome.out(), outcome::err);
  }

  @Test
  void fatalErrorsEndTheJobWithASentence() throws InterruptedException {
    endsWith("rank", mpi.MPI.ERR_RANK, "MPI_ERR_RANK: dest = 2: allowed are 0..1 or PROC_NULL");
    endsWith("array", mpi.MPI.ERR_BUFFER, "MPI_ERR_BUFFER: ");
    endsWith("info", mpi.MPI.ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY: ");
    endsWith("type", mpi.MPI.ERR_TYPE,
        "MPI_ERR_TYPE: type = MPI.DOUBLE: allowed are types whose elements lie in int[]");
    endsWith("window", 53, "MPI_ERR_WIN");
  }

  /** Errors with a communicator and without one, and those that are found before ffmpi is called. */
  private static void endsWith(String argument, int code, String sentence) throws InterruptedException {
    Outcome outcome = run(2, "FatalProgram", argument);
    assertEquals(code, outcome.code(), outcome::toString);
    assertTrue(outcome.err().contains("ended the job with exit code " + code + ": " + sentence), outcome::toString);
    assertTrue(outcome.err().contains("mpi.MPIException: " + sentence), outcome::toString);
    assertFalse(outcome.err().contains("org.ffmpi.base.MpiException: "), outcome::toString);
    assertEquals(List.of(), outcome.out(), outcome::toString);
  }

  @Test
  void abortEndsTheJobWithItsCode() throws InterruptedException {
    Outcome outcome = run(2, "FatalProgram", "abort");
    assertEquals(7, outcome.code(), outcome::toString);
    assertEquals(List.of(), outcome.out(), outcome::toString);
  }

  @Test
  void returnedErrorsLeaveTheJobAlone() throws InterruptedException {
    Outcome outcome = run(2, "ReturnedErrorProgram");
    assertEquals(0, outcome.code(), outcome::err);
    assertEquals(Set.of("rank 0 class true", "rank 1 class true", "rank 0 sum 2", "rank 1 sum 2"),
        new TreeSet<>(outcome.out()));
  }
}
