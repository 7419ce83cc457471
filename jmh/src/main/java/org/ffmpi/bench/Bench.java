// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The program behind {@code scripts/bench}. */
public final class Bench {
  private static final Path ROOT = Path.of(System.getProperty("ffmpi.root", ".")).toAbsolutePath().normalize();
  /** Class path of the rank programs: this one's without what mpirun adds. */
  private static final String PROGRAMS =
      System.getProperty("ffmpi.bench.programs", System.getProperty("java.class.path"));
  private static final List<Suite> SUITES = Suites.all(ROOT);

  /** Suites whose programs a C library's launcher can start on several nodes. */
  private static final List<String> OVER_MPI = List.of("p2p", "coll", "ddt", "cold", "startup");

  private Bench() {}

  /**
   * Runs a suite and prints its tables. Exits with 2 for a command line it cannot understand or a C MPI that is not
   * installed, with 1 when a run fails.
   *
   * @param args the suite's name and options
   * @throws InterruptedException when interrupted while a run is under way
   */
  public static void main(String[] args) throws InterruptedException {
    if (args.length == 0 || args[0].equals("--help") || args[0].equals("-h") || args[0].equals("help")) {
      System.out.print(help());
      return;
    }
    try {
      if (args[0].equals("report")) {
        WholeReport.run(Arrays.asList(args).subList(1, args.length), ROOT, PROGRAMS);
        return;
      }
      if (args[0].equals("ab")) {
        Ab.run(Arrays.asList(args).subList(1, args.length), SUITES, ROOT, PROGRAMS);
        return;
      }
      if (args[0].equals("calls")) {
        CallCounts.run(Arrays.asList(args).subList(1, args.length), ROOT, PROGRAMS);
        return;
      }
      Suite suite = SUITES.stream().filter(s -> s.name.equals(args[0])).findFirst().orElseThrow(
          () -> new BenchOptions.UsageException(args[0] + ": there is no such suite"));
      run(suite, BenchOptions.parse(Arrays.asList(args).subList(1, args.length)));
    } catch (BenchOptions.UsageException e) {
      System.err.println("bench: " + e.getMessage());
      System.err.println("bench: see scripts/bench --help");
      System.exit(2);
    } catch (IOException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(1);
    }
  }

  private static String help() {
    StringBuilder b = new StringBuilder("usage: scripts/bench SUITE [options]\n\nsuites:\n");
    SUITES.forEach(s -> b.append(String.format("  %-10s %s%n", s.name, s.summary)));
    b.append(String.format("  %-10s %s%n", "ab",
        "suites of another revision beside this one's: scripts/bench ab --help"));
    b.append(String.format("  %-10s %s%n", "report",
        "the whole comparison, and a page of it: scripts/bench report --help"));
    b.append(String.format("  %-10s %s%n", "calls",
        "methods that one short call enters, counted, not timed: scripts/bench calls --help"));
    b.append(String.format("  %-10s %s%n", "kernels", "JMH benchmarks of single kernels; options are those of JMH"));
    return b.append('\n').append(BenchOptions.HELP).toString();
  }

  private static void run(Suite suite, BenchOptions o) throws IOException, InterruptedException {
    check("--benches", o.benches, Stream.concat(suite.benches.stream(), suite.controls.stream()).toList());
    check("--cases", o.cases.stream()
        .filter(word -> suite.cases.stream().noneMatch(c -> suite.selects(word, c))).toList(), suite.cases);
    List<Integer> ranks = o.ranks.isEmpty() ? suite.ranks : o.ranks;
    for (int n : ranks) {
      if (suite.refuses(n) != null) {
        throw new BenchOptions.UsageException("--ranks " + n + ": " + suite.refuses(n));
      }
    }
    if (o.settings != null && (!(suite.measurement instanceof TuneMeasurement) || ranks.size() != 1)) {
      throw new BenchOptions.UsageException("--settings is for tune with one number of ranks");
    }
    if (o.noise != null) {
      throw new BenchOptions.UsageException("--noise is for ab");
    }
    if (o.overMpi) {
      overMpi(suite, ranks, o);
      return;
    }
    List<Implementation> implementations = new ArrayList<>();
    List<String> ids = new ArrayList<>(o.withFfmpi ? List.of("ffmpi") : List.of());
    ids.addAll(o.peers == null ? suite.peers : o.peers);
    for (String id : ids) {
      Implementation i = suite.implementation(id, ROOT, PROGRAMS);
      i.makeReady(ROOT.resolve("jmh/src/main/c"), suite.measurement.cPrograms());
      implementations.add(i);
    }
    if (implementations.isEmpty()) {
      throw new BenchOptions.UsageException("--without-ffmpi --vs none leaves nothing to run");
    }
    measure(suite, implementations, ranks, o);
  }

  /** Runs a campaign for each C library: ffmpi over its wire, beside itself. */
  private static void overMpi(Suite suite, List<Integer> ranks, BenchOptions o)
      throws IOException, InterruptedException {
    if (!OVER_MPI.contains(suite.name)) {
      throw new BenchOptions.UsageException("--engine mpi is for " + String.join(", ", OVER_MPI));
    }
    if (suite.measurement instanceof StartupMeasurement) {
      o.cases = List.of(StartupMeasurement.PLAIN);
    }
    for (String id : o.peers == null ? suite.peers : o.peers) {
      Implementation.CPeer.Kind kind = Implementation.CPeer.Kind.installed(id);
      Implementation peer = new Implementation.CPeer(kind, ROOT.resolve("jmh/target/c/" + id), true);
      peer.makeReady(ROOT.resolve("jmh/src/main/c"), suite.measurement.cPrograms());
      String classPath = PROGRAMS + File.pathSeparator + ROOT.resolve("jmh/target/lib") + "/*";
      Implementation ours = new Implementation.OverMpi(Implementation.OURS, kind, o.nodes, classPath);
      System.out.println();
      System.out.println("ffmpi on " + o.nodes + " nodes over " + id + ", and " + id + ": TCP for both");
      measure(suite, o.withFfmpi ? List.of(ours, peer) : List.of(peer), ranks, o);
    }
  }

  /** Runs a campaign. The rows measured so far are kept after each job, and with the tables however it ends. */
  static void measure(Suite suite, List<Implementation> implementations, List<Integer> ranks, BenchOptions o)
      throws IOException, InterruptedException {
    if (o.csv != null) {
      Report.checkWritable(o.csv);
    }
    Campaign campaign = new Campaign(suite, implementations, o);
    Report report = new Report(suite, implementations, campaign.results());
    LastReport last = LastReport.of(() -> {
      writeCsv(report, o.csv);
      System.out.print(suite.measurement.tables(report, campaign.results()));
      System.out.flush();
      if (o.settings != null) {
        try {
          TuneMeasurement.write(campaign.results(), ranks.getFirst(), o.settings);
        } catch (IOException e) {
          System.err.println("bench: --settings " + o.settings + " cannot be written: " + e);
        }
      }
    });
    try {
      campaign.run(ranks, () -> last.before(() -> writeCsv(report, o.csv)));
    } finally {
      last.make();
    }
  }

  private static void writeCsv(Report report, Path csv) {
    if (csv != null) {
      try {
        report.csv(csv);
      } catch (IOException e) {
        System.err.println("bench: --csv " + csv + " cannot be written: " + e);
      }
    }
  }

  private static void check(String option, List<String> given, List<String> known) {
    for (String g : given) {
      if (!known.contains(g)) {
        throw new BenchOptions.UsageException(option + " " + g + ": known are " + String.join(", ", known));
      }
    }
  }
}
