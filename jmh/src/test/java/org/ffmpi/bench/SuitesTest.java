// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitesTest {
  private static final Suite DDT = suite("ddt");
  private static final Suite PACK = suite("pack");

  private static Suite suite(String name) {
    return Suites.named(name, Path.of("."));
  }

  @Test
  void partsOfACaseSelectIt() {
    assertTrue(DDT.selects("vec1s2", "vec1s2|heap"));
    assertTrue(DDT.selects("heap", "vec1s2|heap"));
    assertTrue(DDT.selects("vec1s2|heap", "vec1s2|heap"));
    assertFalse(DDT.selects("vec1s2|shared", "vec1s2|heap"));
    assertTrue(PACK.selects("indexed|clean", "indexed|native|clean|scalar"));
    assertFalse(suite("p2p").selects("native", "native-clean"));
  }

  @Test
  void eachTypeHasItsSizesAndTheContiguousMessageAllOfThem() {
    List<Long> all = DDT.sizes(false);
    for (String name : DDT.cases) {
      List<Long> sizes = DDT.sizesOf("ddt", name, all);
      assertFalse(sizes.isEmpty(), name);
      assertTrue(DDT.sizesOf("ddt", DDT.reference, all).containsAll(sizes), name);
      assertEquals(sizes, DDT.sizesOf("ddt", DDT.peerCase(name), all));
    }
    assertEquals(List.of(944L, 59_000L), DDT.sizesOf("ddt", "partstruct", all));
  }

  /** A JVM under another launcher does not know the options of scripts/mpirun. */
  @Test
  void ranksOfAnotherLauncherGetOptionsOfTheJvm() {
    Implementation ours = new Implementation.OverMpi("ffmpi", Implementation.CPeer.Kind.OPENMPI, 2, "bench.jar");
    List<String> options = List.of("--vector", "on", "-Xmx2g");
    List<String> command =
        ours.command(new Implementation.Program("ddt", "Ddt"), 4, options, List.of("--reps", "3"));
    int node = command.indexOf("-Dffmpi.node=2");
    List<String> expected = List.of(
        "-Dffmpi.node=2", "--add-modules=jdk.incubator.vector", "-Xmx2g", "-cp", "bench.jar", "Ddt", "--reps", "3");
    assertEquals(expected, command.subList(node, command.size()));
  }

  @Test
  void cMeasuresNoCommits() {
    List<Long> sizes = PACK.sizes(false);
    assertEquals(List.of(65_536L), PACK.sizesOf("commit", "simple|new", sizes));
    assertEquals(List.of(), PACK.sizesOf("commit", PACK.peerCase("simple|new"), sizes));
    assertEquals(List.of(), PACK.sizesOf("pack", "simple|new", sizes));
    assertEquals(List.of(), PACK.sizesOf("commit", "vec1s2|native|clean|vector", sizes));
  }

  @Test
  void cleanProfilesHaveJvmsOfTheirOwn() {
    Implementation java = PACK.implementation("ffmpi", Path.of("."), "");
    List<Point> points = List.of(
        new Point("pack", "vec1s2|native|clean|vector", 1, 65_536),
        new Point("unpack", "vec1s2|native|clean|vector", 1, 65_536),
        new Point("pack", "vec1s2|heap|clean|vector", 1, 65_536),
        new Point("pack", "vec1s2|native|polluted|vector", 1, 65_536),
        new Point("pack", "indexed|heap|polluted|vector", 1, 65_536),
        new Point("pack", "indexed|heap|polluted|scalar", 1, 65_536),
        new Point("commit", "simple|new", 1, 65_536));
    assertEquals(5, PACK.measurement.jobs(java, points, BenchOptions.parse(List.of())).size());
  }

  @Test
  void eachRunOfAnApplicationAnswersAllOfItsPoints() {
    Suite apps = suite("apps");
    Implementation java = apps.implementation("ffmpi", Path.of("."), "");
    BenchOptions o = BenchOptions.parse(List.of("--sizes", "100,400"));
    List<Point> points = new ArrayList<>();
    for (String bench : apps.benches) {
      apps.sizesOf(bench, "jacobi", o.sizes).forEach(size -> points.add(new Point(bench, "jacobi", 2, size)));
    }
    assertEquals(List.of(0L, 10L, 30L, 100L, 300L, 1000L), apps.sizesOf("step", "jacobi", o.sizes));
    assertEquals(14, points.size());
    assertEquals(2, apps.measurement.jobs(java, points, o).size());
  }

  @Test
  void eachColdCaseHasAJobOfItsOwn() {
    Suite cold = suite("cold");
    Implementation java = cold.implementation("ffmpi", Path.of("."), "");
    List<Point> points = cold.cases.stream()
        .flatMap(name -> cold.sizes(false).stream().map(k -> new Point("call", name, 2, k))).toList();
    assertEquals(cold.cases.size(), cold.measurement.jobs(java, points, BenchOptions.parse(List.of())).size());
  }

  @Test
  void packingIsComparedWithGccOnly() {
    BenchOptions.UsageException e = assertThrows(BenchOptions.UsageException.class,
        () -> PACK.implementation("mpich", Path.of("."), ""));
    assertEquals("--vs mpich: known are gcc and none", e.getMessage());
  }

  @Test
  void packTableHasALineForEachMemoryAndRatiosToC() {
    Results r = new Results(1, Results.State.MOST);
    r.add("ffmpi", sample("vec1s2|native|clean|vector", 2, 3, 8));
    r.add("ffmpi", sample("vec1s2|heap|clean|scalar", 6));
    r.add("gcc", sample("vec1s2", 1, 2, 4));
    List<String> lines = new PackTable(r).toString().lines().toList();
    assertEquals(5, lines.size(), lines.toString());
    assertTrue(lines.get(3).startsWith("vec1s2|native") && lines.get(3).contains("1.50 (2.00..2.00)"), lines.get(3));
    assertTrue(lines.get(4).startsWith("vec1s2|heap") && lines.get(4).contains("3.00 (6.00..1.50)"), lines.get(4));
  }

  @Test
  void queuesAreTakenByTheirExactNames() {
    Suite matching = suite("matching");
    assertTrue(matching.selects("posted", "posted"));
    assertFalse(matching.selects("posted", "posted-100"));
    assertEquals("matching is between 2 ranks", matching.refuses(3));
  }

  @Test
  void communicatorsHaveNoSizesAndAreComparedCaseByCase() {
    Suite comm = suite("comm");
    for (String name : comm.cases) {
      assertEquals(List.of(0L), comm.sizesOf("comm", name, List.of(8L, 64L)));
      assertEquals(name, comm.peerCase(name));
    }
    assertTrue(comm.selects("split", "split"));
    assertFalse(comm.selects("split", "split-use"));
  }

  @Test
  void collectivesAreComparedByNameAndUse() {
    Suite coll = suite("coll");
    assertEquals(17, Suites.COLLECTIVES.size());
    assertEquals(2 + 16 * 8, coll.cases.size());
    assertEquals("bcast", coll.peerCase("bcast|shared"));
    assertEquals("bcast-dirty", coll.peerCase("bcast|persistent-dirty"));
    for (String name : coll.cases) {
      String peer = coll.peerCase(name);
      assertEquals(peer, coll.peerCase(peer));
      assertEquals(coll.sizesOf("coll", name, List.of(8L, 1024L)), coll.sizesOf("coll", peer, List.of(8L, 1024L)));
    }
  }

  @Test
  void collectivesAreSelectedByNameOrForm() {
    Suite coll = suite("coll");
    assertTrue(coll.selects("allgather", "allgather|heap-dirty"));
    assertFalse(coll.selects("allgather", "allgatherv|heap"));
    assertTrue(coll.selects("persistent", "scan|persistent"));
    assertFalse(coll.selects("persistent", "scan|persistent-dirty"));
  }

  @Test
  void barriersHaveNoSizesAndReductionsAddWholeNumbers() {
    Suite coll = suite("coll");
    assertEquals(List.of(0L), coll.sizesOf("coll", "barrier|persistent", List.of(8L, 64L)));
    assertEquals(List.of("barrier|native", "barrier|persistent"),
        coll.cases.stream().filter(c -> c.startsWith("barrier")).toList());
    assertEquals(List.of(8L, 1024L), coll.sizesOf("coll", "reduce|heap", List.of(0L, 8L, 12L, 1024L)));
  }

  @Test
  void overlapIsComparedByWhatTheComputationCalls() {
    Suite overlap = suite("overlap");
    assertEquals(8 * 2 * 3, overlap.cases.size());
    assertEquals("gather|tests", overlap.peerCase("gather|shared|tests"));
    assertEquals("gather|plain", overlap.peerCase("gather|shared|thread"));
    for (String name : overlap.cases) {
      assertEquals(overlap.peerCase(name), overlap.peerCase(overlap.peerCase(name)));
    }
    assertTrue(overlap.selects("allreduce|thread", "allreduce|native|thread"));
  }

  @Test
  void progressThreadsHaveAJobOfTheirOwn() {
    Suite overlap = suite("overlap");
    Implementation ours = overlap.implementation("ffmpi", Path.of("."), "");
    List<Point> points = overlap.cases.stream().map(c -> new Point("left", c, 2, 1024)).toList();
    assertEquals(2, overlap.measurement.jobs(ours, points, BenchOptions.parse(List.of())).size());
    assertEquals(48, overlap.measurement.jobs(ours, points, BenchOptions.parse(List.of("--isolated"))).size());
  }

  @Test
  void partsAreBetterTheHigherAndNothingHasNoRatio() {
    Suite overlap = suite("overlap");
    Results r = new Results(1, Results.State.MOST);
    r.add("ffmpi", new Sample(new Point("overlap", "bcast|native|plain", 2, 1024), "%", new double[] {5}, 0, 0, true));
    r.add("openmpi", new Sample(new Point("overlap", "bcast|plain", 2, 1024), "%", new double[] {0}, 0, 0, true));
    r.add("ffmpi", new Sample(new Point("overlap", "bcast|native|tests", 2, 1024), "%", new double[] {50}, 0, 0, true));
    r.add("openmpi", new Sample(new Point("overlap", "bcast|tests", 2, 1024), "%", new double[] {40}, 0, 0, true));
    List<Implementation> implementations = List.of(overlap.implementation("ffmpi", Path.of("."), ""),
        new Implementation.CPeer(Implementation.CPeer.Kind.OPENMPI, Path.of(".")));
    String text = new Report(overlap, implementations, r).tables();
    assertTrue(text.contains("higher is better") && text.contains(" 1.25"), text);
    assertFalse(text.contains("Infinity"), text);
  }

  @Test
  void onlySquareMatricesAreTransposed() {
    Suite transpose = suite("transpose");
    List<Long> given = List.of(0L, 32L, 64L, 524_288L);
    assertEquals(List.of(32L, 524_288L), transpose.sizesOf("transpose", "packed|native", given));
    assertEquals("packed", transpose.peerCase("packed|shared"));
    assertEquals(transpose.sizes(false),
        transpose.sizesOf("transpose", "alltoallw|shared", transpose.sizes(false)));
  }

  @Test
  void sharedMemoryIsWhatTheKernelSays(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("meminfo");
    Files.writeString(file, "MemTotal:       24605832 kB\nShmem:            138240 kB\nShmemHugePages:        7 kB\n");
    assertEquals(138_240, MemoryMeasurement.sharedMemory(file));
    Files.writeString(file, "MemTotal: 1 kB\n");
    assertThrows(IOException.class, () -> MemoryMeasurement.sharedMemory(file));
  }

  /** The dialects have classes of the same names, so each has a program, a job and a class path of its own. */
  @Test
  void aDialectRunsAProgramOfItsOwn() {
    Suite compat = suite("compat");
    assertEquals(List.of("openmpi", "mpijava"), compat.peers);
    for (String dialect : compat.peers) {
      Implementation.InDialect in =
          (Implementation.InDialect) compat.implementation(dialect, Path.of(".."), "bench.jar");
      Path source = in.source(Implementation.Program.ofRanks(null, "Compat"));
      assertTrue(Files.isRegularFile(source), source.toString());
      List<String> command = in.command(
          Implementation.Program.ofRanks(null, "Compat"), 2, List.of("-Xmx2g"), List.of("cold"));
      assertEquals(List.of("--dialect", dialect, "-n", "2", "-Xmx2g", "-cp", "bench.jar", source.toString(), "cold"),
          command.subList(1, command.size()));
    }
    BenchOptions.UsageException e = assertThrows(BenchOptions.UsageException.class,
        () -> compat.implementation("mpich", Path.of("."), ""));
    assertEquals("--vs mpich: known are openmpi, mpijava and none", e.getMessage());
  }

  @Test
  void firstCallsOfADialectAreAskedOfOneJob() {
    Suite compat = suite("compat");
    Implementation dialect = compat.implementation("openmpi", Path.of("."), "");
    List<Point> points = new ArrayList<>();
    for (String bench : compat.benches) {
      for (String memory : compat.cases) {
        compat.sizesOf(bench, memory, List.of(0L, 4L, 8L)).forEach(n -> points.add(new Point(bench, memory, 2, n)));
      }
    }
    assertEquals(3 * 2 + 4 + 4 + 1, points.size());
    assertEquals(2, compat.measurement.jobs(dialect, points, BenchOptions.parse(List.of())).size());
    assertEquals(List.of(), compat.sizesOf("call", "direct", List.of(8L)));
    assertEquals("compat is between 2 ranks", compat.refuses(4));
  }

  @Test
  void dialectsAreComparedWithBuffersThatAreMadeOnceInTheSameJob() {
    Results r = new Results(1, Results.State.MOST);
    r.add("ffmpi", compat("pingpong-once", 8, 0.5));
    r.add("ffmpi", compat("pingpong", 8, 0.6));
    r.add("ffmpi", compat("pingpong-ratio", 8, 1.2));
    r.add("openmpi", compat("pingpong", 8, 0.75));
    r.add("openmpi", compat("pingpong-ratio", 8, 1.1));
    r.add("mpijava", compat("pingpong-ratio", 8, 1.3));
    r.add("mpijava", compat("pingpong", 8, 0.65));
    r.add("mpijava", compat("pingpong-allocated", 8, 0));
    r.add("openmpi", compat("pingpong", 4096, 1.1));
    r.add("openmpi", compat("pingpong-ratio", 4096, 1.1));
    List<String> lines = new CompatTable(r, List.of("openmpi", "mpijava")).toString().lines().toList();
    assertEquals(5, lines.size(), lines.toString());
    assertTrue(lines.get(3).contains("0.6  1.200 ") && lines.get(3).contains("0.75  1.100 ")
        && lines.get(3).contains("1.300*") && lines.get(3).endsWith("0.0"), lines.get(3));
    assertTrue(lines.get(4).contains("1.100*"), lines.get(4));
  }

  private static Sample compat(String bench, long bytes, double value) {
    return new Sample(new Point(bench, "array", 2, bytes), "us", new double[] {value}, 0, 0, true);
  }

  private static Sample sample(String name, double... values) {
    return new Sample(new Point("pack", name, 1, 65_536), "us", values, 0, 0, true);
  }
}
