// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows of {@code ab}, with the factor by which this revision is slower than the other one. */
final class Ratios {
  static final String HEADER =
      "suite,bench,case,ranks,bytes,unit,old,new,ratio,ratio_min,ratio_max,rounds,foreign_cpu_pct,good,slower";
  static final int RATIO_COLUMN = 8;

  /** A ratio above this is worth a look. */
  static final double LIMIT = 1.05;

  private final Noise noise;
  private final Map<String, Results> suites = new LinkedHashMap<>();

  /**
   * One point of both revisions.
   *
   * @param suite its suite
   * @param point the point
   * @param old the figures of the other revision
   * @param ours the figures of this revision
   * @param ratio median of the rounds' ratios; above 1 this revision is slower, also where the unit is a rate
   * @param least least of these ratios
   * @param most greatest of these ratios
   * @param rounds number of ratios
   */
  record Row(String suite, Point point, Results.Row old, Results.Row ours, double ratio, double least, double most,
      int rounds) {
    boolean good() {
      return old.good() && ours.good();
    }
  }

  Ratios(Noise noise) {
    this.noise = noise;
  }

  /** Adds the results of a campaign, which may be empty as yet. */
  synchronized void begin(String suite, Results results) {
    suites.put(suite, results);
  }

  /** Returns the rows of which both revisions have been measured in the same state of the cores. */
  synchronized List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    suites.forEach((suite, results) -> {
      for (Results.Row ours : List.copyOf(results.rows())) {
        Point point = ours.key().point();
        Results.Row old = results.row(Ab.OLD, point);
        if (ours.key().implementation().equals(Ab.NEW) && old != null) {
          double[] ratios = ratios(results.used(Ab.OLD, point), results.used(Ab.NEW, point));
          if (ratios.length > 0) {
            rows.add(new Row(suite, point, old, ours, Results.median(ratios), ratios[0], ratios[ratios.length - 1],
                ratios.length));
          }
        }
      }
    });
    return rows;
  }

  /**
   * Returns the ratios of two samples each, in rising order: of one round where the cores were in the same state in
   * both samples, otherwise of all samples that were taken in the same state. Empty without such samples: figures of
   * two states must not be compared.
   */
  private static double[] ratios(List<Sample> old, List<Sample> ours) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(old.size(), ours.size()); i++) {
      addRatio(ratios, old.get(i), ours.get(i));
    }
    if (ratios.isEmpty()) {
      old.forEach(before -> ours.forEach(now -> addRatio(ratios, before, now)));
    }
    return ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static void addRatio(List<Double> ratios, Sample old, Sample ours) {
    if (Results.sameState(old, ours)) {
      ratios.add(ratio(old.unit(), median(old), median(ours)));
    }
  }

  private static double ratio(String unit, double old, double ours) {
    return Report.lowerIsBetter(unit) ? ours / old : old / ours;
  }

  private static double median(Sample s) {
    return Results.median(Arrays.stream(s.values()).sorted().toArray());
  }

  /** Returns whether this revision is slower at a row by more than {@link #LIMIT} and the noise. */
  boolean slower(Row row) {
    double limit = noise.limit(row.suite(), row.point());
    return row.ratio() > LIMIT && (Double.isNaN(limit) ? row.least() > 1 : row.ratio() > limit);
  }

  List<String> csv() {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (Row r : rows()) {
      Point p = r.point();
      lines.add(String.join(",", r.suite(), p.bench(), p.name(), Integer.toString(p.ranks()), Long.toString(p.bytes()),
          r.ours().unit(), Report.number(r.old().median()), Report.number(r.ours().median()), ratio(r.ratio()),
          ratio(r.least()), ratio(r.most()), Integer.toString(r.rounds()),
          String.format(Locale.ROOT, "%.1f", Math.max(r.old().foreignPercent(), r.ours().foreignPercent())),
          Boolean.toString(r.good()), Boolean.toString(slower(r))));
    }
    return lines;
  }

  String tables() {
    StringBuilder out = new StringBuilder();
    List<Row> all = rows();
    for (Map.Entry<String, Results> suite : suites.entrySet()) {
      List<Row> rows = all.stream().filter(r -> r.suite().equals(suite.getKey())).toList();
      for (int ranks : rows.stream().map(r -> r.point().ranks()).distinct().sorted().toList()) {
        table(out, suite.getKey(), ranks, rows.stream().filter(r -> r.point().ranks() == ranks).toList());
      }
      out.append(suite.getValue().describeState());
    }
    if (all.stream().anyMatch(r -> !r.good())) {
      out.append("! = too few undisturbed samples, see --max-foreign and --cores\n");
    }
    return out.toString();
  }

  private void table(StringBuilder out, String suite, int ranks, List<Row> rows) {
    double[] sorted = rows.stream().mapToDouble(Row::ratio).sorted().toArray();
    out.append(String.format(Locale.ROOT, "%n%s, %d ranks: %d rows, median ratio %.3f, %d slower (*)%n", suite, ranks,
        rows.size(), Results.median(sorted), rows.stream().filter(this::slower).count()));
    int width = Math.max(4, rows.stream().mapToInt(r -> r.point().name().length()).max().orElse(0));
    int bench = Math.max(5, rows.stream().mapToInt(r -> r.point().bench().length()).max().orElse(0));
    String names = "%-" + bench + "s %-" + width + "s ";
    out.append(String.format(names + "%9s %5s %11s %11s  %6s  %s%n", "bench", "case", "bytes", "unit", "old", "new",
        "ratio", "of the rounds"));
    for (Row r : rows) {
      out.append(String.format(names + "%9d %5s %11s %11s%s %6s%s %s..%s%n", r.point().bench(), r.point().name(),
          r.point().bytes(), r.ours().unit(), Report.number(r.old().median()), Report.number(r.ours().median()),
          r.good() ? " " : "!", ratio(r.ratio()), slower(r) ? "*" : " ", ratio(r.least()), ratio(r.most())));
    }
  }

  private static String ratio(double v) {
    return String.format(Locale.ROOT, "%.3f", v);
  }
}
