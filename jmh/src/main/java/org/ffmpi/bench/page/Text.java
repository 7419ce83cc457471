// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as readers want them. */
final class Text {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final double THOUSAND = 1000;
  private static final MathContext THREE = new MathContext(3, RoundingMode.HALF_UP);

  private Text() {}

  /** Returns a value with three digits, more if they are before the point. */
  static String value(double v) {
    BigDecimal rounded = new BigDecimal(v).round(THREE);
    if (Math.abs(v) >= 1000) {
      return String.format(Locale.ROOT, "%,d", Math.round(v));
    }
    return rounded.scale() < 0 ? rounded.setScale(0).toPlainString() : rounded.toPlainString();
  }

  /** Returns a value of an axis: a round number, which is short so that it has room beside the axis. */
  static String tick(double v) {
    if (v >= 10 * THOUSAND) {
      return v >= THOUSAND * THOUSAND ? Math.round(v / THOUSAND / THOUSAND) + "M" : Math.round(v / THOUSAND) + "k";
    }
    return v >= THOUSAND ? value(v) : new BigDecimal(v).round(THREE).stripTrailingZeros().toPlainString();
  }

  /** Returns how many times as fast something is. */
  static String times(double ratio) {
    return value(ratio) + "×";
  }

  /** Returns a number of bytes. */
  static String bytes(long n) {
    if (n >= MIB && n % MIB == 0) {
      return n / MIB + " MiB";
    }
    return n >= KIB && n % KIB == 0 ? n / KIB + " KiB" : String.format(Locale.ROOT, "%,d B", n);
  }

  /** Returns a number. */
  static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** Returns a unit as it is printed. */
  static String unit(String unit) {
    return unit.equals("us") ? "µs" : unit;
  }

  /** Returns a coordinate. */
  static String at(double v) {
    return new BigDecimal(v).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
  }
}
