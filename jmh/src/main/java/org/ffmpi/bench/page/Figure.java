// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/**
 * One row of the file of figures, of one implementation at one point.
 *
 * @param part part of the report, such as {@code p2p}
 * @param bench the bench
 * @param name the case
 * @param impl {@code ffmpi} or a peer
 * @param ranks how many ranks took part
 * @param size bytes of a message, or what else the size of that bench is
 * @param unit unit of the values
 * @param min least value
 * @param median middle value of all repetitions of all jobs
 * @param max greatest value
 * @param worstJob the worst of the jobs' medians
 * @param jobs how many fresh jobs are behind the row
 * @param dropped how many further samples were thrown away
 * @param foreignPercent mean CPU time of others meanwhile, in per cent of a core
 * @param good whether enough undisturbed jobs are behind it
 */
public record Figure(String part, String bench, String name, String impl, int ranks, long size, String unit,
    double min, double median, double max, double worstJob, int jobs, int dropped, double foreignPercent,
    boolean good) {
  static final String HEADER = "part,bench,case,impl,ranks,size,unit,min,median,max,worst_job,jobs,thrown_away,"
      + "foreign_cpu_pct,good";

  private static final MathContext PRECISION = new MathContext(4);

  String csv() {
    return String.join(",", List.of(part, bench, name, impl, Integer.toString(ranks), Long.toString(size), unit,
        number(min), number(median), number(max), number(worstJob), Integer.toString(jobs),
        Integer.toString(dropped), String.format(Locale.ROOT, "%.1f", foreignPercent), Boolean.toString(good)));
  }

  static Figure of(String line) {
    String[] f = line.split(",");
    if (f.length != HEADER.split(",").length) {
      throw new IllegalArgumentException("not a figure: " + line);
    }
    return new Figure(f[0], f[1], f[2], f[3], Integer.parseInt(f[4]), Long.parseLong(f[5]), f[6],
        Double.parseDouble(f[7]), Double.parseDouble(f[8]), Double.parseDouble(f[9]), Double.parseDouble(f[10]),
        Integer.parseInt(f[11]), Integer.parseInt(f[12]), Double.parseDouble(f[13]), Boolean.parseBoolean(f[14]));
  }

  /** Returns this figure in another unit. */
  Figure times(double factor, String newUnit) {
    return new Figure(part, bench, name, impl, ranks, size, newUnit, min * factor, median * factor, max * factor,
        worstJob * factor, jobs, dropped, foreignPercent, good);
  }

  /** Returns whether less is better. */
  boolean isTime() {
    return !unit.endsWith("/s");
  }

  /** Returns by which factor the worst job is worse than the median; 1 or more. */
  double worstRatio() {
    return isTime() ? worstJob / median : median / worstJob;
  }

  /** Returns a number with four digits and without an exponent. */
  static String number(double v) {
    return new BigDecimal(v).round(PRECISION).stripTrailingZeros().toPlainString();
  }
}
