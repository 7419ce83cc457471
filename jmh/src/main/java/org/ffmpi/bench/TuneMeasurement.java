// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.spi.Collective;

/**
 * Measurement of each algorithm of each collective beside ffmpi's own choice. A case is a collective, a bar and an
 * algorithm; the results are settings for this machine.
 *
 * <p>A job measures one algorithm of every operation, with the settings {@code ffmpi.coll.…} of all of them; jobs take
 * turns. Barriers have jobs of their own, since one stands before each call of the others.
 */
final class TuneMeasurement extends RankMeasurement {
  /** The bench of the program that measures. */
  private static final String PROGRAM_BENCH = "coll";

  private static final String FORM = "|native";
  private static final String BARRIER = "barrier";

  /** Called by the same schedules as alltoallv. */
  private static final String SAME_AS_ALLTOALLV = "alltoallw";

  /** Serves ranks on several nodes only. */
  private static final String OVER_NODES = "leveled";

  private TuneMeasurement() {
    super(Implementation.Program.ofRanks(PROGRAM_BENCH, "Coll"));
  }

  /** Returns the suite. */
  static Suite suite() {
    return new Suite("tune", "all algorithms of the collectives, and the settings that choose the fastest",
        new TuneMeasurement())
        .benches("tune")
        .cases(Suites.COLLECTIVES.stream().filter(name -> !name.equals(SAME_AS_ALLTOALLV))
            .flatMap(name -> casesOf(name).stream()).toList())
        .peerCase(TuneMeasurement::nameOf)
        .peers()
        .ranks(2, 4, 8).refusal(Suites.from(2, "one rank has nothing to choose"))
        .sizes(8L, 128L, 1L << 10, 8L << 10, 64L << 10, 512L << 10)
        .quickSizes(8L, 1L << 10, 64L << 10)
        .sizeRule((bench, name, sizes) -> nameOf(name).equals(BARRIER) ? List.of(0L) : Suites.doubles(sizes));
  }

  /** An operation with one algorithm has no cases: it leaves no choice. */
  private static List<String> casesOf(String name) {
    List<String> algorithms = algorithms(name);
    return algorithms.size() < 2
        ? List.of()
        : Stream.concat(Stream.of(Tuning.AUTO), algorithms.stream()).map(a -> name + "|" + a).toList();
  }

  /** Returns the algorithms for ranks of one node. */
  private static List<String> algorithms(String name) {
    return Selector.algorithms(collective(name)).stream().filter(a -> !a.equals(OVER_NODES)).toList();
  }

  static Collective collective(String name) {
    return Stream.of(Collective.values()).filter(c -> c.label().equals(Tuning.label(name))).findFirst().orElseThrow();
  }

  private static String nameOf(String ofCase) {
    return Suites.firstPart(ofCase);
  }

  private static String algorithmOf(String ofCase) {
    return ofCase.substring(ofCase.indexOf('|') + 1);
  }

  @Override
  public Implementation peer(String id, Path root, String classPath) {
    throw new BenchOptions.UsageException("--vs " + id + ": tune compares ffmpi with itself only");
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions options) {
    Map<String, List<Point>> groups = new LinkedHashMap<>();
    for (Point p : points) {
      groups.computeIfAbsent(options.isolated ? p.name() : group(p.name()), k -> new ArrayList<>()).add(p);
    }
    List<Job> jobs = new ArrayList<>();
    for (List<Point> group : groups.values()) {
      Map<String, Point> asked = new LinkedHashMap<>();
      TreeSet<String> chosen = new TreeSet<>();
      List<Point> measured = new ArrayList<>();
      for (Point p : group) {
        Point m = new Point(PROGRAM_BENCH, nameOf(p.name()) + FORM, p.ranks(), p.bytes());
        measured.add(m);
        asked.put(m.name() + "/" + m.bytes(), p);
        chosen.add(Tuning.option(nameOf(p.name()), algorithmOf(p.name())));
      }
      jobs.add(sink -> run(implementation, measured, options, List.copyOf(chosen), sample -> sink.accept(
          new Sample(asked.get(sample.point().name() + "/" + sample.point().bytes()), sample.unit(), sample.values(),
              sample.hop(), sample.foreignPercent(), sample.quiet()))));
    }
    return jobs;
  }

  /** The first algorithm of every operation is measured in one job, the second in the next, and so on. */
  static String group(String ofCase) {
    String name = nameOf(ofCase);
    int number = algorithms(name).indexOf(algorithmOf(ofCase));
    return (name.equals(BARRIER) ? BARRIER : "") + number;
  }

  @Override
  public String tables(Report report, Results results) {
    StringBuilder text = new StringBuilder(report.tables());
    TreeSet<Integer> ranks = new TreeSet<>();
    results.rows().forEach(row -> ranks.add(row.key().point().ranks()));
    for (int n : ranks) {
      text.append(System.lineSeparator()).append(tuning(results, n)).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** Writes the settings that choose the fastest, as a file of options for mpirun. */
  static void write(Results results, int ranks, Path file) throws IOException {
    Report.write(file, tuning(results, ranks).lines());
  }

  private static Tuning tuning(Results results, int ranks) {
    Tuning tuning = new Tuning(ranks);
    for (Results.Row row : results.rows()) {
      Point p = row.key().point();
      if (p.ranks() == ranks) {
        tuning.add(nameOf(p.name()), p.bytes(), algorithmOf(p.name()), row.median(), row.min());
      }
    }
    return tuning;
  }
}
