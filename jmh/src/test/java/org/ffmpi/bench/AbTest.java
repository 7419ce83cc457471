// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbTest {
  private static final List<Suite> SUITES = Suites.all(Path.of("."));
  private static final Point LATENCY = new Point("latency", "heap-clean", 2, 8);
  private static final Point RATE = new Point("rate", "heap-clean", 2, 8);

  private static Suite suite(String name) {
    return Suites.named(name, Path.of("."));
  }

  private static Ab.Request parse(String... args) {
    return Ab.parse(List.of(args), SUITES);
  }

  private static String refused(String... args) {
    return assertThrows(BenchOptions.UsageException.class, () -> parse(args)).getMessage();
  }

  private static List<String> names(Ab.Request request) {
    return request.suites().stream().map(s -> s.name).toList();
  }

  @Test
  void revisionAndSuitesComeBeforeOptions() {
    Ab.Request request = parse("HEAD~1", "coll", "p2p", "--ranks", "2");
    assertEquals("HEAD~1", request.revision());
    assertEquals(List.of("coll", "p2p"), names(request));
    assertEquals(List.of("--ranks", "2"), request.options());
    assertEquals(AbPreset.SUITES, names(parse("HEAD", "--quick")));
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertEquals("ab: a revision comes first, such as HEAD", refused("--quick"));
    assertEquals("ab matching: known are p2p, coll, ddt, pack, comm, startup", refused("HEAD", "matching"));
    assertEquals("--vs=mpich is not for ab", refused("HEAD", "p2p", "--vs=mpich"));
    assertEquals("--cases slow: no such case in p2p, coll", refused("HEAD", "p2p", "coll", "--cases", "slow"));
    assertTrue(refused("HEAD", "p2p", "--benches", "coll").startsWith("--benches coll: known are latency"));
  }

  @Test
  void eachSuiteGetsTheOptionsItKnows() {
    List<String> given = List.of("--ranks", "2,8", "--cases", "heap-clean,allreduce", "--rounds", "7");
    BenchOptions p2p = Ab.options(suite("p2p"), given);
    assertEquals(List.of(2), p2p.ranks);
    assertEquals(List.of("heap-clean"), p2p.cases);
    assertEquals(7, p2p.rounds);
    assertEquals(List.of("allreduce"), Ab.options(suite("coll"), given).cases);
    BenchOptions pack = Ab.options(suite("pack"), given);
    assertEquals(List.of(1), pack.ranks);
    assertEquals(List.of(), pack.cases);
  }

  @Test
  void presetsNameRowsThatExistAndGiveWay() {
    for (Suite suite : SUITES) {
      if (AbPreset.SUITES.contains(suite.name)) {
        BenchOptions o = Ab.options(suite, List.of("--quick", "--rounds", "9"));
        assertEquals(9, o.rounds);
        assertTrue(o.ranks.stream().allMatch(n -> suite.refuses(n) == null), suite.name);
        assertTrue(o.benches.stream().allMatch(suite.benches::contains), suite.name);
        Campaign campaign = new Campaign(suite, List.of(), o);
        List<Point> points = campaign.points(suite.measurement.ours(Ab.NEW, Path.of("."), ""), o.ranks.getFirst());
        assertFalse(points.isEmpty(), suite.name);
        for (String word : o.cases) {
          assertTrue(points.stream().anyMatch(p -> suite.selects(word, p.name())), suite.name + " " + word);
        }
      }
    }
    assertEquals(List.of(2, 8), Ab.options(suite("coll"), List.of("--quick")).ranks);
    assertEquals(List.of(4), Ab.options(suite("coll"), List.of("--quick", "--ranks", "4")).ranks);
  }

  private static Results results(double[] old, double[] ours) {
    Results results = new Results(old.length, Results.State.MOST);
    for (int round = 0; round < old.length; round++) {
      results.add(Ab.NEW, sample(LATENCY, "us", ours[round]));
      results.add(Ab.OLD, sample(LATENCY, "us", old[round]));
      results.add(Ab.NEW, sample(RATE, "msg/s", 1e6 * ours[round]));
      results.add(Ab.OLD, sample(RATE, "msg/s", 1e6 * old[round]));
    }
    return results;
  }

  private static Sample sample(Point point, String unit, double value) {
    return new Sample(point, unit, new double[] {value}, 0, 1, true);
  }

  @Test
  void ratiosAboveOneAreSlowerAlsoOfRates() {
    Ratios ratios = new Ratios(Noise.NONE);
    ratios.begin("p2p", results(new double[] {2, 4, 8}, new double[] {3, 5, 8}));
    Ratios.Row latency = ratios.rows().getFirst();
    assertEquals(1.25, latency.ratio());
    assertEquals(1, latency.least());
    assertEquals(1.5, latency.most());
    assertEquals(3, latency.rounds());
    assertEquals(0.8, ratios.rows().getLast().ratio());
  }

  @Test
  void withoutNoiseARowIsSlowerWhenItIsSoInEveryRound() {
    Ratios ratios = new Ratios(Noise.NONE);
    ratios.begin("p2p", results(new double[] {2, 4, 8}, new double[] {3, 5, 8}));
    assertFalse(ratios.slower(ratios.rows().getFirst()));
    ratios.begin("p2p", results(new double[] {2, 4, 8}, new double[] {3, 5, 8.1}));
    assertTrue(ratios.slower(ratios.rows().getFirst()));
    ratios.begin("p2p", results(new double[] {2, 4, 8}, new double[] {2.1, 4.1, 8.1}));
    assertFalse(ratios.slower(ratios.rows().getFirst()));
  }

  @Test
  void samplesOfTwoStatesOfTheCoresAreNotCompared() {
    Results results = new Results(2, Results.State.MOST);
    results.add(Ab.NEW, sample(9, 90));
    results.add(Ab.OLD, sample(3, 30));
    results.add(Ab.NEW, sample(3, 31));
    Ratios ratios = new Ratios(Noise.NONE);
    ratios.begin("p2p", results);
    assertEquals(1, ratios.rows().getFirst().ratio(), "the two samples of near cores");
    results.add(Ab.OLD, sample(10, 91));
    assertEquals(0.95, ratios.rows().getFirst().ratio(), "near with near, and far with far");
    Results apart = new Results(1, Results.State.MOST);
    apart.add(Ab.NEW, sample(9, 90));
    apart.add(Ab.OLD, sample(3, 30));
    ratios.begin("p2p", apart);
    assertEquals(List.of(), ratios.rows());
  }

  private static Sample sample(double value, double hop) {
    return new Sample(LATENCY, "us", new double[] {value}, hop, 1, true);
  }

  @Test
  void rowsThatOneRevisionHasNotMeasuredAreLeftOut() {
    Results results = new Results(3, Results.State.MOST);
    results.add(Ab.NEW, sample(LATENCY, "us", 1));
    Ratios ratios = new Ratios(Noise.NONE);
    ratios.begin("p2p", results);
    assertEquals(List.of(), ratios.rows());
    results.add(Ab.OLD, sample(LATENCY, "us", 1));
    assertEquals(1, ratios.rows().size());
    assertFalse(ratios.rows().getFirst().good());
    assertTrue(ratios.tables().contains("! = too few"), ratios.tables());
  }

  @Test
  void noiseIsThatOfTheRowAndOfNineInTenOfItsKind(@TempDir Path folder) throws Exception {
    Ratios self = new Ratios(Noise.NONE);
    self.begin("p2p", results(new double[] {10, 10}, new double[] {9, 9}));
    Path csv = folder.resolve("noise.csv");
    Report.write(csv, self.csv());
    assertEquals("p2p,latency,heap-clean,2,8,us,10,9,0.900,0.900,0.900,2,1.0,true,false",
        Files.readAllLines(csv).get(1));
    Noise noise = Noise.read(csv);
    assertEquals(1.111, noise.limit("p2p", LATENCY), 0.001);
    assertEquals(1.111, noise.limit("p2p", new Point("latency", "shared-clean", 2, 8)), 0.001);
    assertTrue(Double.isNaN(noise.limit("coll", LATENCY)));
    Ratios ratios = new Ratios(noise);
    ratios.begin("p2p", results(new double[] {10, 10}, new double[] {11.1, 11.1}));
    assertFalse(ratios.slower(ratios.rows().getFirst()));
    ratios.begin("p2p", results(new double[] {10, 10}, new double[] {11.2, 11.2}));
    assertTrue(ratios.slower(ratios.rows().getFirst()));
    Files.writeString(csv, "a,b\n");
    assertThrows(BenchOptions.UsageException.class, () -> Noise.read(csv));
  }

  @Test
  void programsAreFoundInAnotherPackageOfAnotherRevision(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("programs.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("org/ffmpi/bench/moved/P2p.class"));
      out.putNextEntry(new JarEntry("org/ffmpi/bench/rank/Coll.class"));
    }
    assertEquals("org.ffmpi.bench.moved.P2p",
        new Implementation.Program("p2p", "org.ffmpi.bench.rank.P2p").in(jar.toString()));
    assertEquals("org.ffmpi.bench.rank.Coll",
        new Implementation.Program("coll", "org.ffmpi.bench.rank.Coll").in(jar.toString()));
    assertEquals("org.ffmpi.bench.rank.Ddt",
        new Implementation.Program("ddt", "org.ffmpi.bench.rank.Ddt").in("a.jar:b.jar"));
  }
}
