// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Prints results as tables, with the ratio to the best C peer, and as CSV. */
final class Report {
  private static final String HEADER = "bench,case,impl,ranks,bytes,unit,min,median,max,worst_job,foreign_cpu_pct";

  /** Digits that are worth printing. */
  private static final MathContext PRECISION = new MathContext(4);

  private final Suite suite;
  private final List<String> peers;
  private final boolean withFfmpi;
  private final Results results;

  Report(Suite suite, List<Implementation> implementations, Results results) {
    this.suite = suite;
    this.peers = implementations.stream()
        .filter(i -> !i.isOurs()).map(Implementation::id).toList();
    this.withFfmpi = implementations.stream().anyMatch(Implementation::isOurs);
    this.results = results;
  }

  void csv(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (Results.Row r : results.rows()) {
      Point p = r.key().point();
      lines.add(String.join(",", p.bench(), p.name(), r.key().implementation(), Integer.toString(p.ranks()),
          Long.toString(p.bytes()), r.unit(), number(r.min()), number(r.median()), number(r.max()),
          number(r.worstJob()), String.format(Locale.ROOT, "%.1f", r.foreignPercent())));
    }
    write(file, lines);
  }

  /** Finds out before an hour of measuring whether a file can be written; its content stays. */
  static void checkWritable(Path file) throws IOException {
    try {
      makeFolder(file);
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    } catch (IOException e) {
      throw new IOException("--csv " + file + " cannot be written: " + e, e);
    }
  }

  /** Writes lines to a file, in a folder that need not be there. */
  static void write(Path file, List<String> lines) throws IOException {
    makeFolder(file);
    Files.write(file, lines);
  }

  private static void makeFolder(Path file) throws IOException {
    if (file.toAbsolutePath().getParent() != null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
  }

  String tables() {
    StringBuilder out = new StringBuilder();
    List<String> groups = suite.cases.stream().map(suite::peerCase).distinct().toList();
    for (String bench : Stream.concat(suite.benches.stream(), suite.controls.stream()).toList()) {
      for (String group : groups) {
        table(out, bench, group);
      }
    }
    out.append(results.describeState());
    if (results.rows().stream().anyMatch(r -> !r.good())) {
      out.append("! = too few undisturbed samples, see --max-foreign and --cores\n");
    }
    return out.toString();
  }

  private void table(StringBuilder out, String bench, String group) {
    List<Results.Row> rows = results.rows().stream()
        .filter(r -> r.key().point().bench().equals(bench) && suite.peerCase(r.key().point().name()).equals(group))
        .toList();
    if (rows.isEmpty()) {
      return;
    }
    String unit = rows.getFirst().unit();
    List<String> ours = !withFfmpi ? List.of() : suite.cases.stream()
        .filter(c -> suite.peerCase(c).equals(group))
        .filter(c -> rows.stream().anyMatch(r -> r.key().point().name().equals(c)))
        .toList();
    out.append(String.format("%n%s, %s, %s (%s), medians%s%s; worst: the worst job's median by all jobs'%n",
        bench, group, unit, lowerIsBetter(unit) ? "lower is better" : "higher is better",
        peers.isEmpty() ? "" : "; ratio to the best C peer",
        suite.reference == null ? "" : "; ref: ratio to " + suite.reference));
    out.append(String.format("%6s %9s", "ranks", "bytes"));
    peers.forEach(p -> out.append(String.format(" %13s ", p)));
    ours.forEach(c -> out.append(String.format(" %15s  %5s%s %5s", c, peers.isEmpty() ? "" : "ratio",
        suite.reference == null ? "" : "   ref", "worst")));
    out.append(System.lineSeparator());
    TreeSet<Integer> ranks = new TreeSet<>();
    TreeSet<Long> bytes = new TreeSet<>();
    rows.forEach(r -> {
      ranks.add(r.key().point().ranks());
      bytes.add(r.key().point().bytes());
    });
    for (int n : ranks) {
      for (long b : bytes) {
        line(out, bench, group, n, b, ours);
      }
    }
  }

  private void line(StringBuilder out, String bench, String group, int ranks, long bytes, List<String> ours) {
    StringBuilder line = new StringBuilder(String.format("%6d %9d", ranks, bytes));
    double best = Double.NaN;
    boolean any = false;
    for (String p : peers) {
      Results.Row r = results.row(p, new Point(bench, group, ranks, bytes));
      line.append(String.format(" %13s%s", r == null ? "-" : number(r.median()), mark(r)));
      if (r != null) {
        any = true;
        boolean better = Double.isNaN(best) || (lowerIsBetter(r.unit()) ? r.median() < best : r.median() > best);
        best = better ? r.median() : best;
      }
    }
    Results.Row reference = suite.reference == null
        ? null
        : results.row("ffmpi", new Point(bench, suite.reference, ranks, bytes));
    for (String c : ours) {
      Results.Row r = results.row("ffmpi", new Point(bench, c, ranks, bytes));
      any |= r != null;
      String width = Integer.toString(Math.max(15, c.length()));
      line.append(String.format(" %" + width + "s%s", r == null ? "-" : number(r.median()), mark(r)));
      line.append(r == null || !(best > 0) // what is left of nothing has no ratio
          ? String.format(" %5s", "")
          : String.format(Locale.ROOT, " %5.2f", r.median() / best));
      if (suite.reference != null) {
        line.append(r == null || reference == null
            ? String.format(" %5s", "")
            : String.format(Locale.ROOT, " %5.2f", r.median() / reference.median()));
      }
      line.append(r == null || !(r.worstRatio() > 0)
          ? String.format(" %5s", "")
          : String.format(Locale.ROOT, " %5.2f", r.worstRatio()));
    }
    if (any) {
      out.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
  }

  static String mark(Results.Row r) {
    return r == null || r.good() ? " " : "!";
  }

  static boolean lowerIsBetter(String unit) {
    return !unit.endsWith("/s") && !unit.equals("%");
  }

  static String number(double v) {
    return new BigDecimal(v).round(PRECISION).stripTrailingZeros().toPlainString();
  }
}
