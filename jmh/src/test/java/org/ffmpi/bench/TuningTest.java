// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings are computed from the times of all algorithms. */
class TuningTest {
  private static void times(Tuning tuning, String name, long bytes, double auto, double first, double second) {
    tuning.add(name, bytes, "auto", auto, auto);
    tuning.add(name, bytes, "linear", first, first);
    tuning.add(name, bytes, "bruck", second, second);
  }

  @Test
  void theFastestIsSetUpToTheMiddleBetweenLengths() {
    Tuning tuning = new Tuning(8);
    times(tuning, "alltoall", 8, 9, 9, 5);
    times(tuning, "alltoall", 1 << 10, 9, 9, 6);
    times(tuning, "alltoall", 64 << 10, 50, 50, 90);
    assertEquals("bruck<=8K,linear", tuning.choice("alltoall"));
    assertEquals(List.of("# the fastest algorithms with 8 ranks on this machine: mpirun -n 8 @FILE ...",
        "--coll-alltoall=bruck<=8K,linear  # of the time by bytes: 8: 0.56, 1K: 0.67"), tuning.lines());
  }

  @Test
  void whatIsAsFastAsTheChoiceOfTheLibraryIsLeftToIt() {
    Tuning tuning = new Tuning(8);
    times(tuning, "alltoall", 8, 5, 9, 4.9);
    times(tuning, "alltoall", 1 << 10, 9, 9, 9);
    assertEquals("auto", tuning.choice("alltoall"));
    assertEquals("# none is faster than what ffmpi chooses by itself", tuning.lines().getLast());
  }

  @Test
  void noiseChangesNoAlgorithm() {
    Tuning tuning = new Tuning(8);
    times(tuning, "alltoall", 8, 9, 5, 8);
    times(tuning, "alltoall", 64, 9, 6.1, 6);
    times(tuning, "alltoall", 512, 9, 5, 9);
    assertEquals("linear", tuning.choice("alltoall"));
  }

  @Test
  void oneSlowJobIsNoReason() {
    Tuning tuning = new Tuning(8);
    tuning.add("scan", 8, "auto", 9, 5);
    tuning.add("scan", 8, "chain", 5, 4.9);
    assertEquals("auto", tuning.choice("scan"));
  }

  @Test
  void whatWasNotMeasuredEverywhereIsNotSet() {
    Tuning tuning = new Tuning(8);
    times(tuning, "alltoall", 8, 9, 7, 5);
    tuning.add("alltoall", 64, "auto", 9, 9);
    tuning.add("alltoall", 64, "linear", 7, 7);
    assertEquals("linear", tuning.choice("alltoall"));
    tuning.add("alltoall", 512, "auto", 9, 9);
    assertEquals("auto", tuning.choice("alltoall"));
    tuning.add("barrier", 0, "auto", 9, 9);
    tuning.add("barrier", 0, "dissemination", 8, 8);
    assertEquals("--coll-barrier=dissemination  # of the time by bytes: 0: 0.89", tuning.lines().getLast());
  }

  @Test
  void blocksOfTheirOwnLengthsGetOneAlgorithmForAll() {
    Tuning tuning = new Tuning(8);
    times(tuning, "alltoallv", 8, 4, 4, 1);
    times(tuning, "alltoallv", 1 << 20, 40, 40, 60);
    assertEquals("bruck", tuning.choice("alltoallv"));
    Tuning other = new Tuning(8);
    times(other, "alltoallv", 8, 4, 4, 3);
    times(other, "alltoallv", 1 << 20, 40, 40, 60); // loses more than is won
    assertEquals("auto", other.choice("alltoallv"));
  }

  @Test
  void partsOfAVectorCountWhereTheTableCountsThem() {
    Tuning tuning = new Tuning(4);
    times(tuning, "reduce_scatter_block", 4 << 10, 9, 9, 5);
    times(tuning, "reduce_scatter_block", 64 << 10, 9, 9, 12);
    assertEquals("bruck<=4K,linear", tuning.choice("reduce_scatter_block"));
  }

  @Test
  void allAlgorithmsAreMeasuredEachInTheJobOfItsNumber() {
    Suite tune = TuneMeasurement.suite();
    assertTrue(tune.cases.containsAll(List.of("allreduce|auto", "allreduce|ring", "scatter|binomial")));
    assertTrue(tune.cases.contains("gatherv|direct"));
    assertFalse(tune.cases.stream().anyMatch(c -> c.startsWith("alltoallw"))); // which has alltoallv's setting
    assertTrue(tune.selects("ring", "allreduce|ring"));
    List<Point> points = List.of(new Point("tune", "allreduce|auto", 4, 8), new Point("tune", "scatter|auto", 4, 8),
        new Point("tune", "allreduce|recursive-doubling", 4, 8), new Point("tune", "scatter|linear", 4, 8),
        new Point("tune", "scatter|linear", 4, 1024));
    long jobs = points.stream().map(p -> TuneMeasurement.group(p.name())).distinct().count();
    assertEquals(jobs, tune.measurement.jobs(null, points, BenchOptions.parse(List.of())).size());
  }

  /** The library accepts the limits and names. */
  @Test
  void whatComesOutIsASetting(@TempDir Path folder) throws Exception {
    Results results = new Results(1, Results.State.MOST);
    for (long bytes : new long[] {8, 1 << 10, 64 << 10}) {
      results.add("ffmpi", sample("allreduce|auto", bytes, 3));
      results.add("ffmpi", sample("allreduce|rabenseifner", bytes, bytes < 2000 ? 1 : 2));
      results.add("ffmpi", sample("allreduce|ring", bytes, bytes < 2000 ? 2 : 1));
    }
    Path file = folder.resolve("new/tuned");
    TuneMeasurement.write(results, 4, file);
    String line = Files.readAllLines(file).get(1);
    assertTrue(line.startsWith("--coll-allreduce=rabenseifner<=8K,ring "), line);
    String value = line.substring(line.indexOf('=') + 1, line.indexOf(' '));
    Selector selector = new Selector(Settings.of(Map.of("ffmpi.coll.allreduce", value)));
    assertEquals("rabenseifner", selector.algorithm(Collective.ALLREDUCE, 4, 8 << 10, true));
    assertEquals("ring", selector.algorithm(Collective.ALLREDUCE, 4, 64 << 10, true));
  }

  private static Sample sample(String name, long bytes, double value) {
    return new Sample(new Point("tune", name, 4, bytes), "us", new double[] {value}, 0, 0, true);
  }
}
