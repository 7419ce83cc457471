// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples as a user does, by their main classes, each rank a process. */
@Tag("process")
class SamplesProcessTest {
  /** JVM options of the ranks that the build sets for all tests. */
  private static final String[] JVM_OPTIONS =
      Stream.of(System.getProperty("ffmpi.test.jvm.options", "").split("\\s+"))
          .filter(option -> !option.isEmpty())
          .toArray(String[]::new);

  /** The output and the exit code of a job. */
  private record Outcome(int code, List<String> out, String err) {}

  private static Outcome run(int ranks, Class<?> sample, String... arguments) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.of(ranks)
            .javaOptions(JVM_OPTIONS)
            .main(sample.getName(), arguments)
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString(StandardCharsets.UTF_8));
  }

  private static String lineOf(Outcome outcome, String beginning) {
    List<String> found = outcome.out().stream().filter(line -> line.startsWith(beginning)).toList();
    assertEquals(1, found.size(), outcome.toString());
    return found.getFirst();
  }

  @Test
  void helloPrintsALinePerRank() throws InterruptedException {
    Outcome outcome = run(3, Hello.class);
    assertEquals(0, outcome.code(), outcome.toString());
    Set<String> beginnings = new TreeSet<>();
    outcome.out().forEach(line -> beginnings.add(line.substring(0, line.indexOf(" on "))));
    assertEquals(Set.of("rank 0 of 3", "rank 1 of 3", "rank 2 of 3"), beginnings);
  }

  @Test
  void greetingsNeedTwoRanks() throws InterruptedException {
    Outcome outcome = run(2, Greetings.class);
    assertEquals(0, outcome.code(), outcome.toString());
    assertEquals(List.of("received :Hello, there:"), outcome.out());
    Outcome alone = run(1, Greetings.class);
    assertEquals(2, alone.code(), alone.toString());
    assertTrue(alone.err().contains("two ranks or more"), alone.toString());
  }

  @Test
  void theFarmNeedsAMasterAndWorkers() throws InterruptedException {
    Outcome outcome = run(3, Farm.class);
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "148933 primes below 2000000, found by 2 workers in 200 pieces; ");
    lineOf(outcome, "the workers agree on 148933 primes");
  }

  @Test
  void aFarmerWhoIsAloneHiresWorkers() throws InterruptedException {
    Outcome outcome = run(1, Farm.class);
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "2 workers hired in ");
    lineOf(outcome, "148933 primes below 2000000 in ");
    lineOf(outcome, "the workers have gone");
  }

  @Test
  void aViewerNeedsASolver() throws InterruptedException {
    Outcome outcome = run(1, Meet.class, "view");
    assertTrue(outcome.err().contains("meet: start the solver first"), outcome.toString());
  }

  @Test
  void theQueensTravelAsRecords() throws InterruptedException {
    Outcome outcome = run(3, Queens.class);
    assertEquals(0, outcome.code(), outcome.toString());
    assertEquals(List.of("14200 ways to place 12 queens, found by 2 workers"), outcome.out());
    Outcome alone = run(1, Queens.class);
    assertEquals(2, alone.code(), alone.toString());
    assertTrue(alone.err().contains("two ranks or more"), alone.toString());
  }

  @Test
  void anExecutorTriesAllBeginnings() throws InterruptedException {
    Outcome outcome = run(3, Restarts.class);
    assertEquals(0, outcome.code(), outcome.toString());
    assertEquals(run(1, Restarts.class).out(), outcome.out());
  }

  @Test
  void lifeGoesOnTheSameOnAnyNumberOfRanks(@TempDir Path folder) throws Exception {
    Outcome one = run(1, Life.class, "--size=200", "--steps=100");
    assertEquals(0, one.code(), one.toString());
    Path picture = folder.resolve("life.png");
    Outcome four = run(4, Life.class, "--size=200", "--steps=100", "--live", "--output", picture.toString());
    assertEquals(0, four.code(), four.toString());
    lineOf(four, "life: the output is no terminal: --live is left out");
    assertTrue(Files.size(picture) > 0);
    String alive = one.out().getFirst().split(" on ")[0];
    lineOf(four, alive + " on 2 x 2 ranks; ");
  }

  @Test
  void theRodOutlivesItsRanks() throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.of(4)
            .javaOptions(JVM_OPTIONS)
            .main(Outlive.class.getName(), "--kill")
            .setting("ffmpi.survive", "on")
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    assertEquals(0, code, out::toString);
    assertEquals("20000 cells after 400 steps, 0 of them wrong; 3 of 4 ranks are left\n", out.toString());
    assertTrue(
        err.toString().matches("mpirun: rank 2 \\(pid \\d+\\) ended with exit code 1; the job goes on with 3 ranks\n"),
        err::toString);
  }

  @Test
  void theDeadOfTheRodAreReplaced() throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.of(3)
            .javaOptions(JVM_OPTIONS)
            .main(Outlive.class.getName(), "--kill", "--replace")
            .setting("ffmpi.survive", "on")
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    assertEquals(0, code, err::toString);
    assertEquals("20000 cells after 400 steps, 0 of them wrong; 3 of 3 ranks are left\n", out.toString());
  }

  @Test
  void nbodyKeepsEnergyAndMomentum(@TempDir Path folder) throws Exception {
    Path picture = folder.resolve("nbody.png");
    Outcome outcome = run(3, Nbody.class, "--bodies=50", "--steps=20", "--pixels", "64", "--output=" + picture);
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "momentum  changed by ");
    assertTrue(Files.size(picture) > 0);
    Outcome odd = run(2, Nbody.class, "--bodies=51");
    assertEquals(2, odd.code(), odd.toString());
    assertTrue(odd.err().startsWith("nbody: --bodies 51: an even number is needed"), odd.toString());
  }

  @Test
  void outliveNeedsAJobThatSurvives() throws InterruptedException {
    Outcome outcome = run(2, Outlive.class);
    assertEquals(2, outcome.code(), outcome.toString());
    assertTrue(outcome.err().startsWith("outlive: this job would end with its first dead rank"), outcome.toString());
  }

  @Test
  void ringGoesRound() throws InterruptedException {
    Outcome outcome = run(3, Ring.class, "10");
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "10 rounds of 3 ranks add up to 30; ");
    Outcome wrong = run(2, Ring.class, "none");
    assertEquals(2, wrong.code(), wrong.toString());
    assertTrue(wrong.err().contains("rounds = none"), wrong.toString());
  }

  @Test
  void heatGivesTheSameFieldOnAnyNumberOfRanks(@TempDir Path folder) throws Exception {
    Path picture = folder.resolve("heat.png");
    String[] arguments = {"--size", "64", "--steps=50", "--output", picture.toString()};
    Outcome two = run(2, Heat.class, arguments);
    assertEquals(0, two.code(), two.toString());
    assertTrue(Files.size(picture) > 0);
    Outcome five = run(5, Heat.class, "--size=64", "--steps=50", "--output=none", "--buffers=shared");
    assertEquals(0, five.code(), five.toString());
    assertEquals(lineOf(two, "field "), lineOf(five, "field "));
    Outcome grid = run(4, Heat.class, "--size=64", "--steps=50", "--output=none", "--grid");
    assertEquals(0, grid.code(), grid.toString());
    assertEquals(lineOf(two, "field "), lineOf(grid, "field "));
    lineOf(two, "picture ");
  }

  @Test
  void mandelbrotDrawsAndComparesRows(@TempDir Path folder) throws Exception {
    Path picture = folder.resolve("mandelbrot.png");
    Outcome outcome = run(3, Mandelbrot.class, "--width=60", "--height=40", "--output", picture.toString());
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "checksum  54feb6a7433c64c0; 0 of 16 rows that rank 0 computed again are different");
    assertTrue(Files.size(picture) > 0);
  }

  @Test
  void collatzSharesItsWork() throws InterruptedException {
    Outcome outcome = run(3, Collatz.class, "--below", "3000", "--chunk", "10");
    assertEquals(0, outcome.code(), outcome.toString());
    assertTrue(outcome.toString().contains("from 2,919 in 216 steps"), outcome.toString());
  }

  @Test
  void samplesortChecksItself() throws InterruptedException {
    Outcome outcome = run(3, Samplesort.class, "--keys", "1000");
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "3,000 keys on 3 ranks sorted in ");
  }

  @Test
  void fftChecksItsTransforms(@TempDir Path folder) throws Exception {
    Path picture = folder.resolve("fft.png");
    Outcome outcome = run(2, Fft.class, "--size=64", "--pixels", "48", "--output", picture.toString());
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "errors    ");
    assertTrue(Files.size(picture) > 0);
    Outcome three = run(3, Fft.class);
    assertEquals(2, three.code(), three.toString());
    assertTrue(three.err().startsWith("fft: 3 ranks: a power of two of at most 1024 is needed"), three.toString());
  }

  @Test
  void cgChecksItsSolution() throws InterruptedException {
    Outcome outcome = run(3, Cg.class, "--matrix", "plate");
    assertEquals(0, outcome.code(), outcome.toString());
    lineOf(outcome, "residual    9.");
    Outcome stopped = run(2, Cg.class, "--grid=20", "--iterations=5");
    assertEquals(1, stopped.code(), stopped.toString());
    assertTrue(stopped.err().startsWith("cg: the residual is "), stopped.toString());
    Outcome missing = run(2, Cg.class, "--matrix", "none.mtx");
    assertEquals(2, missing.code(), missing.toString());
    assertTrue(missing.err().startsWith("cg: the matrix none.mtx cannot be read"), missing.toString());
  }

  @Test
  void heatExplainsItself() throws InterruptedException {
    Outcome help = run(2, Heat.class, "--help");
    assertEquals(0, help.code(), help.toString());
    lineOf(help, "usage: heat ");
    Outcome wrong = run(2, Heat.class, "--size", "1");
    assertEquals(2, wrong.code(), wrong.toString());
    assertEquals(1, wrong.err().split("heat: --size 1: at least 2", -1).length - 1, wrong.toString());
  }
}
