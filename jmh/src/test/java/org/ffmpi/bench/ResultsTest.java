// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final Point POINT = new Point("latency", "native-clean", 2, 8);

  private static Sample sample(double hop, boolean quiet, double... values) {
    return new Sample(POINT, "us", values, hop, quiet ? 1 : 50, quiet);
  }

  @Test
  void disturbedSamplesDoNotCountOnceThereAreEnoughQuietOnes() {
    Results r = new Results(2, Results.State.MOST);
    r.add("ffmpi", sample(45, false, 9, 9));
    r.add("ffmpi", sample(45, true, 3, 1));
    assertTrue(r.lacks("ffmpi", POINT));
    assertFalse(r.row("ffmpi", POINT).good());
    r.add("ffmpi", sample(45, true, 2, 2));
    assertFalse(r.lacks("ffmpi", POINT));
    Results.Row row = r.row("ffmpi", POINT);
    assertTrue(row.good());
    assertEquals(1, row.min());
    assertEquals(2, row.median());
    assertEquals(3, row.max());
    assertEquals(1, row.foreignPercent());
  }

  @Test
  void theWorstJobIsNotLostInTheMedianOfAll() {
    Results r = new Results(3, Results.State.MOST);
    r.add("ffmpi", sample(45, true, 1, 1, 9));
    r.add("ffmpi", sample(45, true, 2, 2, 2));
    r.add("ffmpi", sample(45, true, 1, 1, 1));
    Results.Row row = r.row("ffmpi", POINT);
    assertEquals(1, row.median());
    assertEquals(2, row.worstJob());
    assertEquals(2, row.worstRatio());
  }

  @Test
  void theWorstJobOfARateIsTheLeast() {
    Results r = new Results(2, Results.State.MOST);
    Point rate = new Point("rate", "native-clean", 2, 8);
    r.add("ffmpi", new Sample(rate, "M/s", new double[] {4, 4}, 45, 1, true));
    r.add("ffmpi", new Sample(rate, "M/s", new double[] {8, 8, 8}, 45, 1, true));
    assertEquals(4, r.row("ffmpi", rate).worstJob());
    assertEquals(2, r.row("ffmpi", rate).worstRatio());
  }

  @Test
  void samplesOfTheOtherStateOfTheCoresDoNotCount() {
    Results near = filled(Results.State.NEAR);
    assertEquals(0.1, near.row("ffmpi", POINT).median());
    assertTrue(near.row("ffmpi", POINT).good());
    Results far = filled(Results.State.FAR);
    assertEquals(0.4, far.row("ffmpi", POINT).median());
    Results most = filled(Results.State.MOST);
    assertEquals(0.4, most.row("ffmpi", POINT).median());
  }

  private static Results filled(Results.State state) {
    Results r = new Results(1, state);
    r.add("ffmpi", sample(45, true, 0.1));
    r.add("ffmpi", sample(220, true, 0.4));
    r.add("ffmpi", sample(218, true, 0.4));
    return r;
  }

  @Test
  void unknownDistanceOfTheCoresCountsInAnyState() {
    Results r = new Results(1, Results.State.FAR);
    r.add("ffmpi", sample(0, true, 5));
    assertFalse(r.lacks("ffmpi", POINT));
  }

  @Test
  void withoutEnoughGoodSamplesTheLeastDisturbedAreUsed() {
    Results r = new Results(1, Results.State.MOST);
    r.add("mpich", new Sample(POINT, "us", new double[] {7}, 45, 80, false));
    r.add("mpich", new Sample(POINT, "us", new double[] {6}, 45, 20, false));
    assertEquals(6, r.row("mpich", POINT).median());
    assertFalse(r.row("mpich", POINT).good());
  }

  @Test
  void csvHasItsColumnsAndTheTableRatiosToTheBestPeer(@TempDir Path folder) throws Exception {
    Results r = new Results(1, Results.State.MOST);
    r.add("ffmpi", sample(45, true, 0.06));
    r.add("openmpi", sample(45, true, 0.12));
    r.add("mpich", sample(45, true, 0.24));
    List<Implementation> all = List.of(
        new Implementation.Ffmpi(Implementation.OURS, folder, ""),
        new Implementation.CPeer(Implementation.CPeer.Kind.OPENMPI, folder),
        new Implementation.CPeer(Implementation.CPeer.Kind.MPICH, folder));
    Report report = new Report(Suites.named("p2p", Path.of(".")), all, r);
    Path csv = folder.resolve("deep/er.csv");
    report.csv(csv);
    List<String> lines = Files.readAllLines(csv);
    assertEquals("bench,case,impl,ranks,bytes,unit,min,median,max,worst_job,foreign_cpu_pct", lines.get(0));
    assertEquals("latency,native-clean,ffmpi,2,8,us,0.06,0.06,0.06,0.06,1.0", lines.get(1));
    assertEquals(4, lines.size());
    assertTrue(report.tables().contains(" 0.50"), report.tables());
  }

  @Test
  void derivedTypesAreAlsoComparedWithTheDirectMessage() {
    Results r = new Results(1, Results.State.MOST);
    r.add("ffmpi", of("contig|shared", 2));
    r.add("ffmpi", of("vec1s2|heap", 5));
    r.add("mpich", of("vec1s2", 10));
    List<Implementation> all = List.of(
        new Implementation.Ffmpi(Implementation.OURS, Path.of("."), ""),
        new Implementation.CPeer(Implementation.CPeer.Kind.MPICH, Path.of(".")));
    String tables = new Report(Suites.named("ddt", Path.of(".")), all, r).tables();
    assertTrue(tables.lines().anyMatch(l -> l.matches(" +2 +65536 +10 +5 +0.50 +2.50 +1.00")), tables);
  }

  private static Sample of(String name, double value) {
    return new Sample(new Point("ddt", name, 2, 65536), "us", new double[] {value}, 45, 1, true);
  }
}
