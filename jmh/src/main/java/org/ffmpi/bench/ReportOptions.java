// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line of {@code scripts/bench report}. */
final class ReportOptions {
  static final String HELP = """
      usage: scripts/bench report [options]

      Measures the whole comparison with Open MPI and MPICH, warm and cold, and writes a page of it with plots and
      tables (index.html), all figures (report.csv) and one plot (latency.svg). Nothing else should run meanwhile.

      Every sample goes to a journal at once. A campaign that was stopped, by Ctrl-C, SIGTERM or a power failure, is
      continued by the same command, and so is one that ran out of time when --minutes allows more. Rounds go over all
      parts, so that a short campaign has all of them as well, from fewer jobs.

      options:
        --out FOLDER      where page, figures and plot go (docs/benchmarks)
        --minutes N       stop measuring after so long; 55, or 20 with --quick. One round of all parts is always
                          measured: four minutes
        --quick           fewer sizes and cases, five rounds; so it is with less than %2$d minutes
        --parts LIST      of %1$s
        --resume          continue; an error if there is nothing to continue
        --fresh           forget what an earlier campaign has measured
        --write           also write the figures into README.md, and the link into docs/BENCHMARKS.md
        --render          measure nothing: make page and plot anew from report.csv
        --journal FILE    instead of jmh/target/report/journal.tsv
      """;

  private static final int MINUTES = 55;
  private static final int QUICK_MINUTES = 20;

  /** Three rounds of all that is not quick need so long; with less time the quick choice has more rounds. */
  static final int LEAST_FULL = 25;

  private static final int MOST_MINUTES = 100_000;

  Path out;
  Path journal;
  boolean quick;
  boolean resume;
  boolean fresh;
  boolean write;
  boolean render;
  double minutes = -1;
  List<String> parts = ReportPlan.NAMES;

  static ReportOptions parse(List<String> arguments, Path root) {
    ReportOptions o = new ReportOptions();
    o.out = root.resolve("docs/benchmarks");
    o.journal = root.resolve("jmh/target/report/journal.tsv");
    List<String> rest = new ArrayList<>(arguments);
    while (!rest.isEmpty()) {
      String name = rest.removeFirst();
      int equals = name.indexOf('=');
      if (name.startsWith("--") && equals > 0) {
        rest.addFirst(name.substring(equals + 1));
        name = name.substring(0, equals);
      }
      switch (name) {
        case "--quick" -> o.quick = true;
        case "--resume" -> o.resume = true;
        case "--fresh" -> o.fresh = true;
        case "--write" -> o.write = true;
        case "--render" -> o.render = true;
        case "--out" -> o.out = Path.of(value(name, rest));
        case "--journal" -> o.journal = Path.of(value(name, rest));
        case "--minutes" -> o.minutes = minutes(value(name, rest));
        case "--parts" -> o.parts = parts(value(name, rest));
        default -> throw new BenchOptions.UsageException(name + ": report has no such option");
      }
    }
    if (o.resume && o.fresh) {
      throw new BenchOptions.UsageException("--resume and --fresh exclude each other");
    }
    if (o.minutes < 0) {
      o.minutes = o.quick ? QUICK_MINUTES : MINUTES;
    }
    o.quick |= o.minutes < LEAST_FULL;
    return o;
  }

  private static String value(String name, List<String> rest) {
    if (rest.isEmpty()) {
      throw new BenchOptions.UsageException(name + ": a value is missing");
    }
    return rest.removeFirst();
  }

  private static double minutes(String value) {
    try {
      double d = Double.parseDouble(value);
      if (d >= 0 && d <= MOST_MINUTES) {
        return d;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new BenchOptions.UsageException("--minutes = " + value + ": allowed are 0.." + MOST_MINUTES);
  }

  private static List<String> parts(String value) {
    List<String> given = Arrays.stream(value.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
    for (String g : given) {
      if (!ReportPlan.NAMES.contains(g)) {
        throw new BenchOptions.UsageException(
            "--parts " + g + ": known are " + String.join(", ", ReportPlan.NAMES));
      }
    }
    return ReportPlan.NAMES.stream().filter(given::contains).toList();
  }
}
