// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;

/**
 * A plot with two logarithmic axes, and below it, on the same axis, how many times as fast as the better C library ours
 * are. A whisker leads from the median's ratio to that of the worst job.
 *
 * @param id name of the plot
 * @param title the heading
 * @param across the name of the places
 * @param base ticks of the places are powers of it
 * @param place writes a place
 * @param series the lines
 * @param large whether it has room for labels at the ends of the lines
 */
record LinePlot(String id, String title, String across, int base, LongFunction<String> place, List<Series> series,
    boolean large) implements Plot {
  private static final double LEFT = 50;
  private static final double TOP = 22;
  private static final double LINE_HEIGHT = 14;
  private static final double AIR = 1.25;

  /** Room at the right for labels. */
  private static final double LABELS = 112;

  /** So many places each have a tick. */
  private static final int FEW = 4;

  /** Room at the right for half of the last tick. */
  private static final double EDGE = 20;

  LinePlot {
    series = series.stream().filter(s -> !s.points().isEmpty()).toList();
  }

  private double width() {
    return large ? 460 : 330;
  }

  private double right() {
    return width() - (large ? LABELS : EDGE);
  }

  private double bottom() {
    return TOP + (large ? 250 : 165);
  }

  private double stripTop() {
    return bottom() + 30;
  }

  private double stripBottom() {
    return hasRatios() ? stripTop() + (large ? 92 : 66) : bottom();
  }

  private boolean hasRatios() {
    return series.stream().anyMatch(s -> s.points().stream().anyMatch(Series.Datum::hasRatio));
  }

  private DoubleStream places() {
    return series.stream().flatMapToDouble(s -> s.points().stream().mapToDouble(Series.Datum::x));
  }

  private DoubleStream values() {
    return series.stream().flatMapToDouble(s -> s.points().stream().mapToDouble(Series.Datum::y));
  }

  @Override
  public void draw(Markup out, String style) {
    double height = stripBottom() + 36;
    out.open("svg", "xmlns", "http://www.w3.org/2000/svg", "id", id, "class", large ? "plot large" : "plot",
        "viewBox", "0 0 " + Text.at(width()) + " " + Text.at(height), "role", "img", "aria-label", title);
    if (style != null) {
      out.text("title", title).open("style").raw(style).closeLine();
      out.leaf("rect", "class", "ground", "x", "0", "y", "0", "width", Text.at(width()), "height", Text.at(height),
          "rx", "8");
    }
    LogScale x = new LogScale(places().min().orElse(1), places().max().orElse(1), LEFT + 8, right() - 8);
    LogScale y = new LogScale(values().min().orElse(1) / AIR, values().max().orElse(1) * AIR, bottom(), TOP);
    frame(out, x, y);
    for (Series s : behindOurs()) {
      line(out, s, s.points().stream().map(d -> new double[] {x.at(d.x()), y.at(d.y())}).toList(), "line");
      for (Series.Datum d : s.points()) {
        s.look().mark(out, x.at(d.x()), y.at(d.y()), large ? 3.6 : 3.1,
            "pt " + s.look().css + (d.figure().good() ? "" : " weak"), d.title(s.look(), place.apply((long) d.x())));
      }
    }
    if (large) {
      labels(out, y);
    }
    if (hasRatios()) {
      strip(out, x);
    }
    out.closeLine();
  }

  /** Returns the lines so that ours are drawn over the others. */
  private List<Series> behindOurs() {
    return series.stream().sorted(Comparator.comparing((Series s) -> s.look().isOurs())
        .thenComparing(s -> -s.look().ordinal())).toList();
  }

  private void frame(Markup out, LogScale x, LogScale y) {
    for (double tick : y.ticks()) {
      String at = Text.at(y.at(tick));
      out.leaf("line", "class", "grid", "x1", Text.at(LEFT), "x2", Text.at(right()), "y1", at, "y2", at);
      out.text("text", Text.tick(tick), "class", "tick", "x", Text.at(LEFT - 6), "y", Text.at(y.at(tick) + 4),
          "text-anchor", "end");
    }
    out.open("text", "class", "caption", "x", Text.at(LEFT), "y", "13").text(title);
    if (!series.isEmpty()) {
      out.text("tspan", ", " + Text.unit(series.getFirst().points().getFirst().figure().unit()), "class", "axis");
    }
    out.close();
    for (long tick : ticks(x)) {
      String at = Text.at(x.at(tick));
      out.leaf("line", "class", "grid", "x1", at, "x2", at, "y1", Text.at(TOP), "y2", Text.at(bottom()));
      out.text("text", place.apply(tick).replace(" B", ""), "class", "tick", "x", at, "y",
          Text.at(stripBottom() + 16), "text-anchor", "middle");
    }
    out.text("text", across, "class", "axis", "x", Text.at((LEFT + right()) / 2), "y", Text.at(stripBottom() + 31),
        "text-anchor", "middle");
    out.line();
  }

  /** Returns the places themselves where they are few, else round numbers. */
  private List<Long> ticks(LogScale x) {
    List<Long> all = places().sorted().distinct().mapToObj(p -> (long) p).toList();
    return all.size() <= FEW ? all : x.powers(base);
  }

  private static void line(Markup out, Series s, List<double[]> points, String css) {
    StringBuilder d = new StringBuilder();
    for (double[] p : points) {
      d.append(d.isEmpty() ? "M" : "L").append(Text.at(p[0])).append(' ').append(Text.at(p[1]));
    }
    out.leaf("path", "class", css + " " + s.look().css, "d", d.toString()).line();
  }

  /** Writes the names of the lines at their ends, one below the other where ends are close. */
  private void labels(Markup out, LogScale y) {
    List<Series> byHeight = new ArrayList<>(series);
    byHeight.sort(Comparator.comparingDouble(s -> y.at(s.points().getLast().y())));
    double[] at = byHeight.stream().mapToDouble(s -> y.at(s.points().getLast().y())).toArray();
    for (int pass = 0; pass < 200; pass++) {
      for (int i = 1; i < at.length; i++) {
        double missing = LINE_HEIGHT - (at[i] - at[i - 1]);
        if (missing > 0) {
          at[i - 1] -= missing / 2;
          at[i] += missing / 2;
        }
      }
      if (at.length > 0) {
        at[0] = Math.max(at[0], TOP + 4);
        at[at.length - 1] = Math.min(at[at.length - 1], bottom() - 2);
      }
    }
    for (int i = 0; i < at.length; i++) {
      Series s = byHeight.get(i);
      double end = y.at(s.points().getLast().y());
      out.leaf("path", "class", "lead " + s.look().css, "d",
          "M" + Text.at(right() - 4) + " " + Text.at(end) + "L" + Text.at(right() + 6) + " " + Text.at(at[i]));
      out.text("text", s.look().brief, "class", "name " + s.look().css, "x", Text.at(right() + 9), "y",
          Text.at(at[i] + 4));
    }
    out.line();
  }

  private void strip(Markup out, LogScale x) {
    double[] ratios = series.stream().flatMap(s -> s.points().stream()).filter(Series.Datum::hasRatio)
        .flatMapToDouble(d -> DoubleStream.of(d.ratio(), d.worstRatio())).toArray();
    double least = Math.min(0.5, DoubleStream.of(ratios).min().orElse(1) / AIR);
    double most = Math.max(2, DoubleStream.of(ratios).max().orElse(1) * AIR);
    LogScale y = new LogScale(least, most, stripBottom(), stripTop());
    out.text("text", "times as fast as the better C library", "class", "axis", "x", Text.at(LEFT), "y",
        Text.at(stripTop() - 7));
    List<Double> ticks = y.ticks();
    for (double tick : ticks) {
      if (tick != 1 && ticks.size() > 4 && !isDecade(tick)) {
        continue;
      }
      String at = Text.at(y.at(tick));
      out.leaf("line", "class", tick == 1 ? "one" : "grid", "x1", Text.at(LEFT), "x2", Text.at(right()), "y1", at,
          "y2", at);
      out.text("text", Text.tick(tick), "class", "tick", "x", Text.at(LEFT - 6), "y", Text.at(y.at(tick) + 4),
          "text-anchor", "end");
    }
    for (Series s : behindOurs()) {
      List<Series.Datum> points = s.points().stream().filter(Series.Datum::hasRatio).toList();
      if (points.isEmpty()) {
        continue;
      }
      line(out, s, points.stream().map(d -> new double[] {x.at(d.x()), y.at(d.ratio())}).toList(), "line thin");
      for (Series.Datum d : points) {
        String at = Text.at(x.at(d.x()));
        out.leaf("line", "class", "whisker " + s.look().css, "x1", at, "x2", at, "y1", Text.at(y.at(d.ratio())), "y2",
            Text.at(y.at(d.worstRatio())));
        s.look().mark(out, x.at(d.x()), y.at(d.ratio()), 2.6, "rt " + s.look().css,
            d.title(s.look(), place.apply((long) d.x())));
      }
    }
  }

  private static boolean isDecade(double tick) {
    double power = Math.log10(tick);
    return Math.abs(power - Math.rint(power)) < 1e-6;
  }

  @Override
  public String row(Series.Datum d) {
    return place.apply((long) d.x());
  }
}
