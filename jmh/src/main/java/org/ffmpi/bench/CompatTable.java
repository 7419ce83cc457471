// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Results of {@link CompatMeasurement} by size, with the ratio of each dialect to ffmpi's own API. */
final class CompatTable {
  /** The largest acceptable ratio of a dialect to the own API where messages are short. */
  private static final double SHORT_AIM = 1.15;

  /** The same where messages are long. */
  private static final double LONG_AIM = 1.02;
  private static final long LONG_BYTES = 4096;

  private final Results results;
  private final List<String> dialects;

  CompatTable(Results results, List<String> dialects) {
    this.results = results;
    this.dialects = dialects;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (String bench : CompatMeasurement.WARM) {
      for (String memory : CompatMeasurement.MEMORIES) {
        warm(out, bench, memory);
      }
    }
    for (String bench : List.of(Answers.CALL, Answers.SUM, CompatMeasurement.PROGRAM)) {
      cold(out, bench);
    }
    out.append(results.describeState());
    if (results.rows().stream().anyMatch(r -> !r.good())) {
      out.append("! = too few undisturbed samples, see --max-foreign and --cores\n");
    }
    return out.toString();
  }

  private void warm(StringBuilder out, String bench, String memory) {
    TreeSet<Long> sizes = sizes(bench, memory);
    if (sizes.isEmpty()) {
      return;
    }
    out.append(String.format(Locale.ROOT, "%n%s, %s, us, medians; ratio to the own API with buffers made once, in the"
        + " same job (* above %.2f, from %d bytes %.2f); worst: that of the worst job; B: bytes allocated by %s%n",
        bench, memory, SHORT_AIM, LONG_BYTES, LONG_AIM,
        bench.equals("pingpong") ? "a send and a receive" : "a call"));
    out.append(String.format("%9s %9s", "bytes", "once"));
    columns().forEach(c -> out.append(
        String.format("  %9s %6s  %6s %7s", c.equals(Implementation.OURS) ? "each call" : c, "ratio", "worst", "B")));
    out.append(System.lineSeparator());
    for (long size : sizes) {
      double aim = size < LONG_BYTES ? SHORT_AIM : LONG_AIM;
      Results.Row once = row(Implementation.OURS, bench + CompatMeasurement.BUFFERS_ONCE, memory, size);
      StringBuilder line = new StringBuilder(String.format("%9d %9s", size, median(once)));
      columns().forEach(c -> cells(line, c, new Point(bench, memory, 2, size), aim));
      out.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
  }

  private List<String> columns() {
    return Stream.concat(Stream.of(Implementation.OURS), dialects.stream()).toList();
  }

  private void cells(StringBuilder line, String column, Point p, double aim) {
    Results.Row row = row(column, p.bench(), p.name(), p.bytes());
    Results.Row ratio = row(column, p.bench() + CompatMeasurement.RATIO, p.name(), p.bytes());
    boolean missed = ratio != null && ratio.median() > aim && !column.equals(Implementation.OURS);
    line.append(String.format("  %9s%s%6s%s %6s %7s", median(row), Report.mark(row),
        ratio == null ? "" : String.format(Locale.ROOT, "%.3f", ratio.median()), missed ? "*" : " ",
        ratio == null ? "" : String.format(Locale.ROOT, "%.3f", ratio.worstJob()),
        allocated(column, p.bench(), p.name(), p.bytes())));
  }

  private void cold(StringBuilder out, String bench) {
    String own = CompatMeasurement.COLD_MEMORY;
    TreeSet<Long> sizes = sizes(bench, own);
    if (sizes.isEmpty()) {
      return;
    }
    out.append(String.format("%n%s%n", switch (bench) {
      case Answers.CALL -> "the k-th round trip of 8 B in a fresh job, us, and the ratio to the own API";
      case Answers.SUM -> "all round trips up to the k-th, ms, and the ratio to the own API";
      default -> "the program with so many round trips from start to exit, ms, and the ratio to the own API";
    }));
    out.append(String.format("%9s %9s ", "k", "own API"));
    dialects.forEach(d -> out.append(String.format("  %9s %6s", d, "ratio")));
    out.append(System.lineSeparator());
    for (long k : sizes) {
      Results.Row ours = row(Implementation.OURS, bench, own, k);
      StringBuilder line = new StringBuilder(String.format("%9d %9s%s", k, median(ours), Report.mark(ours)));
      for (String d : dialects) {
        Results.Row row = row(d, bench, own, k);
        line.append(String.format("  %9s%s%6s", median(row), Report.mark(row), ratio(row, ours)));
      }
      out.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
  }

  private TreeSet<Long> sizes(String bench, String memory) {
    TreeSet<Long> sizes = new TreeSet<>();
    for (Results.Row r : results.rows()) {
      Point p = r.key().point();
      if (p.bench().equals(bench) && p.name().equals(memory)) {
        sizes.add(p.bytes());
      }
    }
    return sizes;
  }

  private Results.Row row(String implementation, String bench, String name, long size) {
    return results.row(implementation, new Point(bench, name, 2, size));
  }

  private String allocated(String implementation, String bench, String name, long size) {
    Results.Row r = row(implementation, bench + CompatMeasurement.ALLOCATED, name, size);
    return r == null ? "-" : String.format(Locale.ROOT, "%.1f", r.median());
  }

  private static String median(Results.Row row) {
    return row == null ? "-" : Report.number(row.median());
  }

  private static String ratio(Results.Row row, Results.Row to) {
    return row == null || to == null ? "" : String.format(Locale.ROOT, "%.3f", row.median() / to.median());
  }
}
