// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A line of a plot, or the bars of one colour.
 *
 * @param look how it looks
 * @param points in the order of their places
 */
record Series(Look look, List<Datum> points) {
  /**
   * A figure at its place.
   *
   * @param x the place
   * @param figure the figure at that place
   * @param best median of the better C library there; NaN without one, and for its own figures
   */
  record Datum(double x, Figure figure, double best) {
    double y() {
      return figure.median();
    }

    /** Returns how many times as fast as the better C library this is; NaN without one. */
    double ratio() {
      return figure.isTime() ? best / figure.median() : figure.median() / best;
    }

    /** Returns the ratio of the worst job. */
    double worstRatio() {
      return figure.isTime() ? best / figure.worstJob() : figure.worstJob() / best;
    }

    boolean hasRatio() {
      return ratio() > 0;
    }

    /** Returns the text that a pointer over the mark shows. */
    String title(Look look, String place) {
      StringBuilder b = new StringBuilder(look.label).append(", ").append(place).append(": ")
          .append(Text.value(figure.median())).append(' ').append(Text.unit(figure.unit()));
      b.append("; jobs: ").append(figure.jobs()).append(", worst ").append(Text.value(figure.worstJob()));
      if (hasRatio()) {
        b.append("; ").append(Text.times(ratio())).append(" as fast as the better C library, worst job ")
            .append(Text.times(worstRatio()));
      }
      if (!figure.good()) {
        b.append("; too few undisturbed jobs");
      }
      return b.toString();
    }
  }

  /**
   * Makes a series of figures.
   *
   * @param look how it looks
   * @param figures which
   * @param place where each one is
   * @param best finds the median of the better C library for one, NaN without a C library
   */
  static Series of(Look look, Stream<Figure> figures, Function<Figure, Double> place, Function<Figure, Double> best) {
    return new Series(look, figures.map(f -> new Datum(place.apply(f), f, best.apply(f)))
        .sorted(Comparator.comparingDouble(Datum::x)).toList());
  }
}
