// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs {@code scripts/bench ab}, suites of another revision of the project and of this one in turns, in one campaign
 * for each suite. Each revision runs from its own jars through its own launcher; this program loads neither.
 */
final class Ab {
  static final String NEW = "new";
  static final String OLD = "old";

  static final String HELP = """
      usage: scripts/bench ab REVISION [SUITE...] [options]

      Builds another git revision of the project beside this one, once per commit, and runs both in turns. Without
      suites: %s.

      The table has a row for each point: the medians of both, the median of the rounds' ratios, and their range. A
      ratio is one of times, new to old; of rates it is old to new: above 1 this revision is the slower one. A star
      marks a median ratio above %.2f that exceeds the noise. The noise comes from --noise FILE; without that a star
      needs a ratio above 1 in every round.

      To find the noise, compare a revision with itself, from a working tree without changes:
          scripts/bench ab HEAD p2p coll --quick --csv noise.csv
          scripts/bench ab REVISION p2p coll --quick --noise noise.csv

      --ranks, --benches and --cases are given to the suites that know them; the other suites keep their own. --quick
      measures a choice of rows of each suite, in two or three rounds without extra rounds: all six suites take about 25
      minutes on two cores, twice that with the comparison of a revision with itself.
      Ctrl-C ends the campaign; the rows measured so far are printed and written. A built revision stays in
      jmh/target/revisions and can be deleted at any time. %s are not for ab.

      """;

  private static final List<String> REFUSED = List.of("--vs", "--without-ffmpi", "--settings");

  private Ab() {}

  /** The request of a command line. */
  record Request(String revision, List<Suite> suites, List<String> options) {}

  /**
   * Runs the command.
   *
   * @param args what follows {@code ab}
   * @param known all suites
   * @param root where this revision lies
   * @param programs class path of this revision's programs
   */
  static void run(List<String> args, List<Suite> known, Path root, String programs)
      throws IOException, InterruptedException {
    if (args.isEmpty() || args.contains("--help") || args.contains("-h")) {
      System.out.printf(HELP, String.join(", ", AbPreset.SUITES), Ratios.LIMIT, String.join(", ", REFUSED));
      System.out.print(BenchOptions.HELP);
      return;
    }
    Request request = parse(args, known);
    BenchOptions common = BenchOptions.parse(request.options());
    if (common.csv != null) {
      Report.checkWritable(common.csv);
    }
    Noise noise = common.noise == null ? Noise.NONE : Noise.read(common.noise);
    List<Work> works = new ArrayList<>();
    for (Suite suite : request.suites()) {
      BenchOptions o = options(suite, request.options());
      works.add(new Work(suite, o, o.ranks));
    }
    String commit = Revision.commit(root, request.revision());
    Revision old = Revision.built(root, commit);
    System.err.printf("bench: old is %s, new is this working tree (%s)%n", commit, Revision.describe(root));
    Ratios ratios = new Ratios(noise);
    LastReport last = LastReport.of(() -> {
      write(ratios, common.csv);
      System.out.print(ratios.tables());
      System.out.flush();
    });
    try {
      for (Work w : works) {
        List<Implementation> both = List.of(w.suite().measurement.ours(NEW, root, programs),
            w.suite().measurement.ours(OLD, old.root(), old.programs()));
        for (Implementation i : both) {
          i.makeReady(root, List.of());
        }
        Campaign campaign = new Campaign(w.suite(), both, w.options());
        ratios.begin(w.suite().name, campaign.results());
        long start = System.nanoTime();
        campaign.run(w.ranks(), () -> last.before(() -> write(ratios, common.csv)));
        System.err.printf("bench: %s took %d s%n", w.suite().name, (System.nanoTime() - start) / 1_000_000_000);
      }
    } finally {
      last.make();
    }
  }

  private record Work(Suite suite, BenchOptions options, List<Integer> ranks) {}

  private static void write(Ratios ratios, Path csv) {
    if (csv != null) {
      try {
        Report.write(csv, ratios.csv());
      } catch (IOException e) {
        System.err.println("bench: " + csv + ": " + e.getMessage());
      }
    }
  }

  /** Reads revision, suites and what follows them. */
  static Request parse(List<String> args, List<Suite> known) {
    int end = 0;
    while (end < args.size() && !args.get(end).startsWith("-")) {
      end++;
    }
    if (end == 0) {
      throw new BenchOptions.UsageException("ab: a revision comes first, such as HEAD");
    }
    List<String> names = end == 1 ? AbPreset.SUITES : args.subList(1, end);
    List<Suite> suites = names.stream().map(n -> known.stream()
        .filter(s -> s.name.equals(n) && AbPreset.SUITES.contains(n)).findFirst()
        .orElseThrow(() -> new BenchOptions.UsageException("ab " + n + ": known are "
            + String.join(", ", AbPreset.SUITES)))).distinct().toList();
    List<String> options = args.subList(end, args.size());
    for (String o : options) {
      if (REFUSED.contains(o.split("=")[0])) {
        throw new BenchOptions.UsageException(o + " is not for ab");
      }
    }
    BenchOptions o = BenchOptions.parse(options);
    check("--benches", o.benches, suites.stream().flatMap(s -> benches(s)).toList());
    for (String word : o.cases) {
      if (suites.stream().noneMatch(s -> knowsCase(s, word))) {
        throw new BenchOptions.UsageException("--cases " + word + ": no such case in " + String.join(", ", names));
      }
    }
    return new Request(args.getFirst(), suites, List.copyOf(options));
  }

  /** Returns a suite's options: the preset's when it is asked for, then those given, as far as the suite knows them. */
  static BenchOptions options(Suite suite, List<String> given) {
    List<String> all = new ArrayList<>();
    boolean quick = given.contains("--quick");
    if (quick) {
      all.addAll(AbPreset.options(suite.name));
    }
    all.addAll(given);
    BenchOptions o = BenchOptions.parse(all);
    BenchOptions own = BenchOptions.parse(quick ? AbPreset.options(suite.name) : List.of());
    o.ranks = orElse(o.ranks.stream().filter(n -> suite.refuses(n) == null).toList(),
        orElse(own.ranks, suite.ranks));
    o.benches = orElse(o.benches.stream().filter(b -> benches(suite).anyMatch(b::equals)).toList(), own.benches);
    o.cases = orElse(o.cases.stream().filter(c -> knowsCase(suite, c)).toList(), own.cases);
    return o;
  }

  private static <T> List<T> orElse(List<T> list, List<T> otherwise) {
    return list.isEmpty() ? otherwise : list;
  }

  private static Stream<String> benches(Suite suite) {
    return Stream.concat(suite.benches.stream(), suite.controls.stream());
  }

  private static boolean knowsCase(Suite suite, String word) {
    return suite.cases.stream().anyMatch(c -> suite.selects(word, c));
  }

  private static void check(String option, List<String> given, List<String> known) {
    for (String g : given) {
      if (!known.contains(g)) {
        throw new BenchOptions.UsageException(option + " " + g + ": known are " + String.join(", ", known));
      }
    }
  }
}
