// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.Locale;

/** Times and sizes as people read them, in three digits and a unit. */
public final class Quantities {
  private static final String[] TIMES = {"ns", "µs", "ms", "s"};
  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Quantities() {}

  /**
   * Returns a time in words.
   *
   * @param nanos nanoseconds
   * @return {@code 1.23 ms}
   */
  public static String time(long nanos) {
    return scaled(nanos, 1000, TIMES);
  }

  /**
   * Returns a size in words.
   *
   * @param bytes bytes
   * @return {@code 64.0 KiB}
   */
  public static String size(long bytes) {
    return scaled(bytes, 1024, SIZES);
  }

  /**
   * Returns a part in words.
   *
   * @param part the part
   * @param whole what it is a part of
   * @return {@code 38 %}
   */
  public static String percent(long part, long whole) {
    double share = whole == 0 ? 0 : 100.0 * part / whole;
    return share > 0 && share < 1 ? "less than 1 %" : Math.round(share) + " %";
  }

  /**
   * Returns a number with commas between thousands.
   *
   * @param number the number
   * @return {@code 12,345}
   */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String scaled(long value, int step, String[] units) {
    double scaled = value;
    int unit = 0;
    while (Math.abs(scaled) >= 999.5 && unit < units.length - 1) {
      scaled /= step;
      unit++;
    }
    if (unit == 0) {
      return value + " " + units[0];
    }
    String format = Math.abs(scaled) < 9.995 ? "%.2f" : Math.abs(scaled) < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, scaled) + " " + units[unit];
  }
}
