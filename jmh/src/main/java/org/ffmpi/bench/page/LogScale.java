// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis. */
final class LogScale {
  private static final double[] STEPS = {1, 2, 5};

  /** Rounding may put a tick just outside. */
  private static final double SLACK = 1e-9;

  private final double least;
  private final double most;
  private final double from;
  private final double to;

  /** Makes a scale that puts the least value at one coordinate and the greatest at another. */
  LogScale(double least, double most, double from, double to) {
    this.least = Math.log(least);
    this.most = Math.log(most);
    this.from = from;
    this.to = to;
  }

  double at(double value) {
    return most == least ? (from + to) / 2 : from + (Math.log(value) - least) / (most - least) * (to - from);
  }

  boolean has(double value) {
    double log = Math.log(value);
    return log >= least - SLACK && log <= most + SLACK;
  }

  /** Returns powers of ten within the scale, or also twice and five times as much where there are few. */
  List<Double> ticks() {
    double decades = (most - least) / Math.log(10);
    List<Double> ticks = new ArrayList<>();
    int every = decades > 6 ? 2 : 1;
    for (int power = -12; power <= 12; power++) {
      for (double step : STEPS) {
        double value = step * Math.pow(10, power);
        boolean wanted = step == 1 ? power % every == 0 : decades < 2.2;
        if (wanted && has(value)) {
          ticks.add(value);
        }
      }
    }
    return ticks;
  }

  /** Returns powers of a base within the scale. */
  List<Long> powers(int base) {
    List<Long> ticks = new ArrayList<>();
    for (long n = 1; Math.log(n) <= most + SLACK; n *= base) {
      if (has(n)) {
        ticks.add(n);
      }
    }
    return ticks;
  }
}
