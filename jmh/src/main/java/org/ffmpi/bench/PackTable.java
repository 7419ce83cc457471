// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Results of {@link PackMeasurement} by type and memory, with the ratio of each variant to C. */
final class PackTable {
  private final Results results;

  PackTable(Results results) {
    this.results = results;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    packing(out, "pack");
    packing(out, "unpack");
    committing(out);
    if (results.rows().stream().anyMatch(r -> !r.good())) {
      out.append("! = too few undisturbed samples, see --max-foreign\n");
    }
    return out.toString();
  }

  private void packing(StringBuilder out, String bench) {
    List<Point> lines = results.rows().stream()
        .map(r -> r.key().point())
        .filter(p -> p.bench().equals(bench))
        .flatMap(PackTable::lines)
        .distinct()
        .toList();
    if (lines.isEmpty()) {
      return;
    }
    out.append(String.format(
        "%n%s, us: medians; ratio of the medians to C's (of the minima .. of the maxima)%n", bench));
    out.append(String.format("%-19s %8s %9s ", "", "bytes", "gcc"));
    PackMeasurement.VARIANTS.forEach(v -> out.append(String.format(" %-29s", v)));
    out.append(System.lineSeparator());
    for (Point p : lines) {
      line(out, p);
    }
  }

  /** Turns a case of ffmpi into its line, {@code type|memory}, and one of C into one for each memory. */
  private static Stream<Point> lines(Point p) {
    String[] parts = p.name().split("\\|");
    List<String> memories = parts.length > 1 ? List.of(parts[1]) : PackMeasurement.MEMORIES;
    return memories.stream().map(m -> new Point(p.bench(), parts[0] + "|" + m, p.ranks(), p.bytes()));
  }

  private void line(StringBuilder out, Point p) {
    Results.Row c = results.row(Implementation.PlainC.ID,
        new Point(p.bench(), p.name().substring(0, p.name().indexOf('|')), p.ranks(), p.bytes()));
    List<Results.Row> ours = PackMeasurement.VARIANTS.stream()
        .map(v -> results.row("ffmpi", new Point(p.bench(), p.name() + "|" + v, p.ranks(), p.bytes())))
        .toList();
    if (ours.stream().allMatch(Objects::isNull)) {
      return;
    }
    StringBuilder line = new StringBuilder(String.format("%-19s %8d %9s%s", p.name(), p.bytes(),
        c == null ? "-" : Report.number(c.median()), Report.mark(c)));
    for (Results.Row r : ours) {
      line.append(String.format(" %9s%s ", r == null ? "-" : Report.number(r.median()), Report.mark(r)));
      line.append(r == null || c == null ? String.format("%18s", "") : String.format(Locale.ROOT,
          "%4.2f (%4.2f..%4.2f) ", r.median() / c.median(), r.min() / c.min(), r.max() / c.max()));
    }
    out.append(line.toString().stripTrailing()).append(System.lineSeparator());
  }

  private void committing(StringBuilder out) {
    List<Results.Row> rows = results.rows().stream()
        .filter(r -> List.of("commit", "make").contains(r.key().point().bench()))
        .toList();
    if (rows.isEmpty()) {
      return;
    }
    out.append(String.format("%ncommitting, and making (create, commit and close), us%n"));
    out.append(String.format("%-8s %-15s %9s %10s %10s %10s%n", "", "", "bytes", "min", "median", "max"));
    for (Results.Row r : rows) {
      Point p = r.key().point();
      out.append(String.format("%-8s %-15s %9d %10s %10s %10s%s", p.bench(), p.name(), p.bytes(),
          Report.number(r.min()), Report.number(r.median()), Report.number(r.max()), Report.mark(r)).stripTrailing());
      out.append(System.lineSeparator());
    }
  }
}
